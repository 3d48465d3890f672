public import Imagery
public import System

/// The progress of a recording.
public struct RecordingProgress: Hashable, Sendable {
  /// The path of the file or folder.
  public internal(set) var path: String
  /// The time of the beginning, in seconds since 1970.
  public internal(set) var startTime = 0.0
  /// The number of frames in the file.
  public internal(set) var written = 0
  /// The number of frames that were dropped because too many waited for the disk or the encoder.
  public internal(set) var dropped = 0
  /// The number of frames that could not be decoded and are not in the file. A corpus keeps damaged frames.
  public internal(set) var damaged = 0
  /// The number of frames of a camera's Motion JPEG that were encoded anew, because they had to be cropped or brightened in place of the camera;
  /// 0 while all are copied.
  public internal(set) var reencoded = 0
  /// The number of gaps: the session took a still of another size (`CaptureSession.captureStill`), or was interrupted for more than a
  /// second. The file shows the previous frame during a gap.
  public internal(set) var gaps = 0
  /// The longest gap, from exposure to exposure; zero without a gap.
  public internal(set) var longestGap = Duration.zero
  /// The number of frames that the session withheld while it took stills of another size.
  public internal(set) var withheld = 0
  /// The number of clock jumps that were removed: steps of the camera's clock, back or ahead (`Frame.clockSteps`),
  /// and exposure times that went back, or ahead by more than half an hour, which no file can hold. After a step of
  /// the camera's clock, the next frame is placed by its arrival. After an exposure time that went back, the frame
  /// is placed one interval later; after one that went too far ahead, half an hour later.
  public internal(set) var clockJumps = 0
  /// The time when the exposure of the first frame began; nil before the first frame.
  public internal(set) var firstExposure: MonotonicTime?
  /// The time when the exposure of the latest frame in the file began.
  public internal(set) var lastExposure: MonotonicTime?
  /// The number of bytes in the file so far.
  public internal(set) var byteCount: Int64 = 0
  /// The duration from the beginning of the first frame to the end of the last, as in the file: without clock jumps.
  public internal(set) var duration = Duration.zero
}

/// The state of a recording output. This enumeration is closed, so that a program can show every state.
public enum RecordingState: Sendable, Equatable {
  /// Nothing is being recorded.
  case idle
  /// Frames are being written to this path. A camera's Motion JPEG is copied until its frames must be cropped or brightened in the camera's
  /// place; from then on `hasStoppedCopying` is true.
  case recording(path: String, hasStoppedCopying: Bool = false)
  /// No more frames are accepted; the waiting ones are being written.
  case finishing(path: String)
}

/// A recording that has ended.
public struct Recording: Sendable {
  /// The reason why a recording ended. Later versions may add reasons.
  public struct End: RawRepresentable, Hashable, Sendable {
    /// The name of the reason.
    public let rawValue: String
    /// Creates a reason from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// `stop()` was called.
    public static let stopped = End(rawValue: "stopped")
    /// The session was stopped, or the output removed from it.
    public static let sessionEnded = End(rawValue: "sessionEnded")
    /// The camera delivers another format or size than before; a file has only one.
    public static let formatChanged = End(rawValue: "formatChanged")
    /// An error occurred: see ``Recording/failure``.
    public static let failed = End(rawValue: "failed")
  }

  /// The counts, times and bytes.
  public internal(set) var progress: RecordingProgress
  /// The codec of the pictures; nil if no frame came, and for a corpus, which has the camera's own pictures.
  public internal(set) var codec: RecordingCodec?
  /// Whether all pictures are the camera's own bytes.
  public internal(set) var isCopied = false
  /// The size of the pictures as they are stored; nil if no frame came.
  public internal(set) var size: PixelSize?
  /// The orientation that makes stored pictures upright for a viewer; it is in the file.
  public internal(set) var orientation = Orientation.upright
  /// The path of a JPEG of the first picture, upright, at most 320 pixels long; nil if there is none.
  public internal(set) var thumbnailPath: String?
  /// The reason why there is no thumbnail, as a clause; nil if there is one, or none was requested.
  public internal(set) var thumbnailFailure: String?
  /// The reason for the end.
  public internal(set) var end: End
  /// The error that ended the recording; nil if there was none. The file has all frames before the error, and is playable.
  public internal(set) var failure: RecordingError?

  /// The path of the file or folder, which does not exist if no frame came.
  public var path: String { progress.path }

  /// One sentence for a person about an unrequested end; nil if the recording was stopped, or its session ended.
  public var unaskedEnd: String? {
    if let failure { return "\(failure)" }
    guard end == .formatChanged else { return nil }
    return
      "The recording to \(path) has ended: the camera gives pictures of another size or format than before; start another."
  }
}

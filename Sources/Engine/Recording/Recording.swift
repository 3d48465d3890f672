public import Imagery
public import System

/// How far a recording has come.
public struct RecordingProgress: Hashable, Sendable {
  /// The file or folder.
  public internal(set) var path: String
  /// When it was begun, in seconds since 1970.
  public internal(set) var startTime = 0.0
  /// Frames that are in the file.
  public internal(set) var written = 0
  /// Frames that came while too many waited for the disk or the encoder, and are not in the file.
  public internal(set) var dropped = 0
  /// Frames that could not be decoded, and are not in the file. A corpus keeps all that it is given.
  public internal(set) var damaged = 0
  /// Frames of a camera's Motion JPEG that were encoded anew, because they had to be cropped or brightened in place of the camera; 0 while
  /// all are copied.
  public internal(set) var reencoded = 0
  /// How often nothing came: the session took a still of another size (`CaptureSession.captureStill`), or was interrupted for more than a
  /// second. The file shows the frame before so long.
  public internal(set) var gaps = 0
  /// The longest of them, from exposure to exposure; zero without one.
  public internal(set) var longestGap = Duration.zero
  /// Frames that the session kept back while it took stills of another size.
  public internal(set) var withheld = 0
  /// How often the camera's clock stepped, back or ahead (`Frame.clockSteps`), or times of exposure went back, or ahead by more than half an hour,
  /// which no file can hold. The frame after a step follows as it arrived; after a time that went back by one interval, or by half an hour.
  public internal(set) var clockJumps = 0
  /// When the exposure of the first frame began; nil before it came.
  public internal(set) var firstExposure: MonotonicTime?
  /// When the exposure of the latest frame in the file began.
  public internal(set) var lastExposure: MonotonicTime?
  /// Bytes of the file so far.
  public internal(set) var byteCount: Int64 = 0
  /// From the beginning of the first frame to the end of the last, as the file has it: without what a clock that jumps would make of it.
  public internal(set) var duration = Duration.zero
}

/// What an output does now. Closed: a program that shows it shows each.
public enum RecordingState: Sendable, Equatable {
  /// Nothing.
  case idle
  /// Frames are written to this path. A camera's Motion JPEG is copied until its frames must be cropped or brightened in its place; from then on
  /// `hasStoppedCopying` is true.
  case recording(path: String, hasStoppedCopying: Bool = false)
  /// No more frames are taken; those that came are being written.
  case finishing(path: String)
}

/// A recording that has ended.
public struct Recording: Sendable {
  /// Why a recording ends; there may be more reasons later.
  public struct End: RawRepresentable, Hashable, Sendable {
    /// Its name.
    public let rawValue: String
    /// A reason by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It was asked to.
    public static let stopped = End(rawValue: "stopped")
    /// The session was stopped, or the output removed from it.
    public static let sessionEnded = End(rawValue: "sessionEnded")
    /// The camera gives another format or size than before; a file has one.
    public static let formatChanged = End(rawValue: "formatChanged")
    /// Something failed: see ``Recording/failure``.
    public static let failed = End(rawValue: "failed")
  }

  /// Counts, times and bytes.
  public internal(set) var progress: RecordingProgress
  /// How the pictures are compressed; nil where no frame came, and for a corpus, which has them as the camera gave them.
  public internal(set) var codec: RecordingCodec?
  /// Whether all pictures are the camera's own bytes.
  public internal(set) var isCopied = false
  /// Of the pictures as they are stored; nil where no frame came.
  public internal(set) var size: PixelSize?
  /// What makes stored pictures upright for a viewer; the file says so.
  public internal(set) var orientation = Orientation.upright
  /// A JPEG of the first picture, upright, at most 320 pixels long; nil where there is none.
  public internal(set) var thumbnailPath: String?
  /// Why there is none, as a clause; nil where there is one, or none was asked for.
  public internal(set) var thumbnailFailure: String?
  /// Why it ended.
  public internal(set) var end: End
  /// What failed. The file holds all frames before that, and can be played.
  public internal(set) var failure: RecordingError?

  /// The file or folder; where no frame came there is none.
  public var path: String { progress.path }

  /// One sentence for a person: why it ended though nobody asked it to; nil where somebody did, or its session ended.
  public var unaskedEnd: String? {
    if let failure { return "\(failure)" }
    guard end == .formatChanged else { return nil }
    return
      "The recording to \(path) has ended: the camera gives pictures of another size or format than before; start another."
  }
}

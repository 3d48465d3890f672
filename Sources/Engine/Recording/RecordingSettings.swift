public import Imagery

/// How the pictures of a video are compressed.
public struct RecordingCodec: RawRepresentable, Hashable, Sendable, Codable {
  /// Its name on the command line.
  public let rawValue: String
  /// A codec by its name; one that is not in ``all`` is refused when a recording begins.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Motion JPEG: the camera's own bytes where it gives such, otherwise encoded by libjpeg-turbo.
  public static let mjpeg = RecordingCodec(rawValue: "mjpeg")
  /// H.264 (AVC), 4:2:0, by x264 or OpenH264. Always of eight bits: hardly a player takes more.
  public static let h264 = RecordingCodec(rawValue: "h264")
  /// H.265 (HEVC), by x265: 4:2:0 of eight bits; of a camera of ten bits ten, with its chroma of 4:2:0 or 4:2:2.
  public static let hevc = RecordingCodec(rawValue: "hevc")
  /// Apple ProRes 422 HQ, ten bits; in `.mov` only. Of a camera of eight bits the other two are zero.
  public static let prores = RecordingCodec(rawValue: "prores")
  /// FFV1 version 3, which loses nothing of the codes that it is given; in `.mov` only. It keeps the camera's chroma, 4:2:0 or 4:2:2 (of 4:4:4 and RGB
  /// 4:2:0), and its ten bits.
  public static let ffv1 = RecordingCodec(rawValue: "ffv1")

  /// Those that there are.
  public static let all: [RecordingCodec] = [.mjpeg, .h264, .hevc, .prores, .ffv1]

  /// Those that a video can have on this machine: Motion JPEG wherever FFmpeg's libraries are there, which this loads, and the others
  /// where they have an encoder.
  public static var available: [RecordingCodec] { LibAV.codecs }

  /// libavcodec's encoders for it, the best first; none for Motion JPEG, which needs none of them.
  var encoders: [String] {
    switch self {
    case .h264: ["libx264", "libopenh264"]
    case .hevc: ["libx265"]
    case .prores: ["prores_ks"]
    case .ffv1: ["ffv1"]
    default: []
    }
  }
}

/// Changes the colours of a picture before it is written; `ColorLookup`, a LUT, is one.
public protocol RecordingLook: Sendable {
  /// Changes the picture in place. Called on the recording thread.
  /// - Parameter picture: BGRA of any size, BT.709, full range, upright or as it is stored.
  func apply(to picture: PixelBuffer) throws(ImageError)
}

// Of cameras of ten bits it sees ten, and HEVC, ProRes and FFV1 keep them.
extension ColorLookup: RecordingLook {}

/// What a recording is to be. It is copied when a recording begins: a change meanwhile counts for the next one.
public struct RecordingSettings: Sendable {
  /// How a turned picture becomes upright for its viewer. Closed.
  public enum OrientationMode: String, Sendable, CaseIterable, Codable {
    /// The pixels stay as stored; the file's display matrix says how to turn them.
    case metadata
    /// The pixels are turned, which means that they are encoded anew.
    case baked
  }

  /// Nil, the default: Motion JPEG as it comes from a camera that gives such, where nothing is baked in, cropped or brightened at the
  /// beginning; otherwise H.264, or Motion JPEG where there is no encoder for that.
  public var codec: RecordingCodec?
  /// The angle is that of the first frame; what the device does afterwards changes nothing, as with AVFoundation. Default is `metadata`.
  public var orientation: OrientationMode
  /// Baked into every picture; nil, the default, for none.
  public var look: (any RecordingLook)?
  /// 1...100 as JPEG's scale has it, clamped; default 85. Counts where there is no `bitRate`.
  public var quality: Int
  /// Bits a second, at least 10,000, for H.264 and HEVC; nil for what `quality` needs.
  public var bitRate: Int?
  /// Whether a JPEG of the first picture is laid beside a video. Default is true.
  public var hasThumbnail: Bool
  /// How the sensor sits in the device, for a corpus: its frames then play with the angles they were recorded with. Nil takes the first
  /// frame's angle for that of a device held upright.
  public var mount: Orientation?

  /// Without arguments: the camera's own Motion JPEG, or H.264; turned by metadata; with a thumbnail.
  public init(
    codec: RecordingCodec? = nil, orientation: OrientationMode = .metadata,
    look: (any RecordingLook)? = nil, quality: Int = 85, bitRate: Int? = nil, hasThumbnail: Bool = true,
    mount: Orientation? = nil
  ) {
    self.codec = codec
    self.orientation = orientation
    self.look = look
    self.quality = quality
    self.bitRate = bitRate
    self.hasThumbnail = hasThumbnail
    self.mount = mount
  }

  /// x264's and x265's constant rate factor: 51 is the worst, and 18 looks like the original. 85 becomes 20.
  var constantRateFactor: Int { 51 - (min(max(quality, 1), 100) * 31 + 42) / 85 }
}

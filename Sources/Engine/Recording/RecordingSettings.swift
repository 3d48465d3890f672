public import Imagery

/// The compression of a video's pictures.
public struct RecordingCodec: RawRepresentable, Hashable, Sendable, Codable {
  /// The name on the command line.
  public let rawValue: String
  /// Creates a codec from its name. Starting a recording refuses a codec that is not in ``all``.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Motion JPEG: the camera's own bytes if it delivers Motion JPEG, otherwise encoded by libjpeg-turbo.
  public static let mjpeg = RecordingCodec(rawValue: "mjpeg")
  /// H.264 (AVC), 4:2:0, by x264 or OpenH264. Always 8 bits, since few players support more.
  public static let h264 = RecordingCodec(rawValue: "h264")
  /// H.265 (HEVC), by x265: 8-bit 4:2:0; for a 10-bit camera 10 bits, with its chroma of 4:2:0 or 4:2:2.
  public static let hevc = RecordingCodec(rawValue: "hevc")
  /// Apple ProRes 422 HQ, 10 bits; in `.mov` only. For an 8-bit camera the low two bits are zero.
  public static let prores = RecordingCodec(rawValue: "prores")
  /// FFV1 version 3, lossless for the codes that it gets; in `.mov` only. It keeps the camera's chroma, 4:2:0 or 4:2:2 (4:4:4 and RGB become
  /// 4:2:0), and its 10 bits.
  public static let ffv1 = RecordingCodec(rawValue: "ffv1")

  /// All codecs.
  public static let all: [RecordingCodec] = [.mjpeg, .h264, .hevc, .prores, .ffv1]

  /// The codecs available on this machine: Motion JPEG if FFmpeg's libraries, which this loads, are installed, and the others
  /// if there is an encoder.
  public static var available: [RecordingCodec] { LibAV.codecs }

  /// Whether the codec needs a `.mov` file. FFV1 is never written to `.mp4`: FFmpeg refuses it before version
  /// 8 and accepts it from then on, and the result must not depend on the version.
  var needsMOV: Bool { self == .prores || self == .ffv1 }

  /// libavcodec's encoders for the codec, the best first; none for Motion JPEG, which needs none.
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

/// Changes the colours of a picture before it is written, such as `ColorLookup`, a LUT.
public protocol RecordingLook: Sendable {
  /// Changes the picture in place. Called on the recording thread.
  /// - Parameter picture: BGRA of any size, BT.709, full range, upright or as it is stored.
  func apply(to picture: PixelBuffer) throws(ImageError)
}

// For 10-bit cameras the look is applied to 10 bits, and HEVC, ProRes and FFV1 keep them.
extension ColorLookup: RecordingLook {}

/// The settings of a recording. They are copied when a recording begins: a change meanwhile applies to the next one.
public struct RecordingSettings: Sendable {
  /// The way in which a turned picture becomes upright for its viewer. This enumeration is closed.
  public enum OrientationMode: String, Sendable, CaseIterable, Codable {
    /// The pixels stay as stored; the file's display matrix tells how to turn them.
    case metadata
    /// The pixels are turned, which requires encoding them anew.
    case baked
  }

  /// The codec. Nil, the default: the camera's Motion JPEG, if it delivers that and nothing must be baked in, cropped or brightened at the
  /// beginning; otherwise H.264, or Motion JPEG if there is no H.264 encoder.
  public var codec: RecordingCodec?
  /// The treatment of the first frame's angle; later turns of the device change nothing, as with AVFoundation. The default is `metadata`.
  public var orientation: OrientationMode
  /// A look to bake into every picture; nil, the default, for none.
  public var look: (any RecordingLook)?
  /// The quality on JPEG's scale, 1...100, clamped; the default is 85. Used if `bitRate` is nil.
  public var quality: Int
  /// The bit rate in bits a second, at least 10,000, for H.264 and HEVC; nil uses `quality`.
  public var bitRate: Int?
  /// Whether to write a JPEG of the first picture beside a video. The default is true.
  public var hasThumbnail: Bool
  /// The mounting of the sensor, for a corpus: its frames are then replayed with the recorded device angles. Nil assumes that the device was
  /// held upright at the first frame.
  public var mount: Orientation?

  /// Creates settings; by default for the camera's own Motion JPEG, or H.264, turned by metadata, with a thumbnail.
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

  /// The constant rate factor of x264 and x265: 51 is the worst, and 18 looks like the original. Quality 85 becomes 20.
  var constantRateFactor: Int { 51 - (min(max(quality, 1), 100) * 31 + 42) / 85 }
}

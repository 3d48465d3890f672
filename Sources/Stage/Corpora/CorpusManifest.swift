public import Charts
public import Imagery

/// The content of `corpus.json`, without the digests of files (`Corpus.digests()`).
public struct CorpusManifest: Hashable, Sendable {
  /// The format version that a manifest must name to be read.
  public static let schema = "swiftwing-corpus/1"

  /// The name of the folder, used in `corpus:NAME`.
  public var name: String
  /// Title for people, one line.
  public var title: String
  /// The licence, as an SPDX expression or a sentence.
  public var licence: String
  /// The origin: a command, a device, or a file.
  public var madeBy: String
  /// Programs, fonts and libraries with their versions, if the bytes depend on them.
  public var madeWith: [String] = []
  /// The pixel format that the device delivers. For `.mjpeg` each frame is one JPEG file; PNG files decode to this format.
  public var pixelFormat: PixelFormat
  /// Size of every frame as stored. For stills, the largest size.
  public var size: PixelSize
  /// The interpretation of the pixels' codes as colours.
  public var color: ColorDescription
  /// The nominal frame interval of the device. The track has the actual times.
  public var frameInterval: FrameInterval
  /// Number of frames in the track.
  public var frameCount: Int
  /// Time from the track's zero to the end of the last frame, in nanoseconds.
  public var durationNanoseconds: Int64
  /// The clockwise turn that makes stored pixels (after mirroring, if `isMirrored`) upright while the device is held upright.
  public var mountAngle: Rotation
  /// Whether the stored pixels are a mirror image of the scene, as front cameras deliver them.
  public var isMirrored: Bool
  /// The instant of a frame to which the times of the track refer: the start of the exposure or the end of the frame.
  public var exposureEdge: ExposureEdge
  /// The place in every stored picture of a `TimeCode` with its sequence number. Nil for none.
  public var timeCode: ChartRect?
  /// Squares of the stored picture with a `Fiducial`, drawn upright in the upright picture.
  public var fiducials: [ChartRect] = []
  /// Whether the frames are separate photographs instead of moments of one scene.
  public var isStills: Bool

  /// Creates a manifest to be written. Set time code and marks afterwards; they are not checked before the corpus is verified.
  public init(
    name: String, title: String, licence: String, madeBy: String, pixelFormat: PixelFormat, size: PixelSize,
    color: ColorDescription, frameInterval: FrameInterval, frameCount: Int = 0,
    durationNanoseconds: Int64 = 0,
    mountAngle: Rotation = .none, isMirrored: Bool = false, exposureEdge: ExposureEdge = .startOfExposure,
    isStills: Bool = false
  ) {
    self.name = name
    self.title = title
    self.licence = licence
    self.madeBy = madeBy
    self.pixelFormat = pixelFormat
    self.size = size
    self.color = color
    self.frameInterval = frameInterval
    self.frameCount = frameCount
    self.durationNanoseconds = durationNanoseconds
    self.mountAngle = mountAngle
    self.isMirrored = isMirrored
    self.exposureEdge = exposureEdge
    self.isStills = isStills
  }

  /// The format of a frame as the device delivers it.
  public var imageFormat: ImageFormat { ImageFormat(pixelFormat: pixelFormat, size: size, color: color) }

  /// Returns the orientation that makes stored pixels upright if the device is held at `attitude` degrees, clockwise as its user sees it, to the
  /// nearest quarter-turn. A camera that faces the user sees the device turn the other way, hence the sign (Android's
  /// `CameraCharacteristics.SENSOR_ORIENTATION` gives the same rule).
  public func uprightOrientation(attitude: Double) -> Orientation {
    let device = Rotation(nearest: attitude)
    return Orientation(
      rotation: mountAngle + (isMirrored ? device.inverse : device), isMirrored: isMirrored)
  }
}

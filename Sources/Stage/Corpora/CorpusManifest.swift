public import Charts
public import Imagery

/// What `corpus.json` says about a corpus, but for the digests of its files (`Corpus.digests()`).
public struct CorpusManifest: Hashable, Sendable {
  /// Which version of the format a manifest must name to be read.
  public static let schema = "swiftwing-corpus/1"

  /// The folder's name: what `corpus:NAME` asks for.
  public var name: String
  /// One line for people.
  public var title: String
  /// Who may do what with it, as an SPDX expression or a sentence.
  public var licence: String
  /// How it was made: a command, a device, a file.
  public var madeBy: String
  /// Programs, fonts and libraries with the versions that made it, where the bytes depend on them.
  public var madeWith: [String] = []
  /// What the device delivers. For `.mjpeg` each frame is one JPEG file; PNG files decode to this format.
  public var pixelFormat: PixelFormat
  /// Of every frame as stored; for stills, the largest there is.
  public var size: PixelSize
  /// How the codes of the pixels are to be read as colours.
  public var color: ColorDescription
  /// The pace that the device promised; the track has the times that came of it.
  public var frameInterval: FrameInterval
  /// Frames in the track.
  public var frameCount: Int
  /// From the first event's clock zero to the end of the last frame, in nanoseconds.
  public var durationNanoseconds: Int64
  /// The clockwise turn that makes stored pixels (after mirroring, if `isMirrored`) upright while the device is held upright.
  public var mountAngle: Rotation
  /// The stored pixels are a mirror image of the scene, as front cameras deliver them.
  public var isMirrored: Bool
  /// Which end of the exposure the times of the track are.
  public var exposureEdge: ExposureEdge
  /// Where in the stored picture every frame carries a `TimeCode` of its sequence number.
  public var timeCode: ChartRect?
  /// Squares of the stored picture that carry a `Fiducial`, drawn upright in the upright picture.
  public var fiducials: [ChartRect] = []
  /// Separate photographs, not moments of one scene.
  public var isStills: Bool

  /// A manifest to be written. Time-code and marks are set afterwards; they are not checked before the corpus is verified.
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

  /// What makes stored pixels upright when the device is held at `attitude` degrees, clockwise as its user sees it,
  /// to the nearest quarter-turn. A camera that looks at the user sees the device turn the other way, hence the sign
  /// (Android's `CameraCharacteristics.SENSOR_ORIENTATION` gives the same rule).
  public func uprightOrientation(attitude: Double) -> Orientation {
    let device = Rotation(nearest: attitude)
    return Orientation(
      rotation: mountAngle + (isMirrored ? device.inverse : device), isMirrored: isMirrored)
  }
}

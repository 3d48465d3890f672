import Capture
import Imagery

/// The pictures of one video, as its file or its encoder takes them. One thread at a time.
final class MoviePictures {
  /// Planes for an encoder, valid until the next are made.
  struct Coded {
    let size: PixelSize
    let planes: [Plane]
    /// Ten bits low in words; else bytes.
    let isWide: Bool
  }

  private let plan: MoviePlan
  private let look: ColorLookup?
  private let painter: FramePainter
  private let still: PhotoSettings
  private let converter = PlaneConverter()
  private let wideConverter = WidePlaneConverter()
  private lazy var pipeline = PhotoPipeline(damage: .refuse)
  private lazy var looks = LookConverter(pool: PixelBufferPool())

  init(_ plan: MoviePlan, _ settings: RecordingSettings) {
    self.plan = plan
    look = settings.look as? ColorLookup
    painter = FramePainter(settings.look)
    isPlain = settings.look == nil || look != nil
    still = PhotoSettings(
      longSide: nil, maximumLongSide: ImageLimits.side, quality: settings.quality, maximumBytes: nil)
  }

  /// There is no look but of a kind that ten bits may meet.
  private let isPlain: Bool

  /// By libjpeg-turbo, turned where that is baked in.
  func jpeg(of frame: Frame) throws(ImageError) -> Photo {
    try pipeline.process(try painter.picture(of: frame), orientation: plan.baked, settings: still)
  }

  /// What the planes are made of: hold it as long as you use them.
  func picture(of frame: Frame) throws(ImageError) -> PixelBuffer {
    guard plan.isWide, isPlain, frame.image.format.pixelFormat.isWide, try !frame.isLeftToOutputs() else {
      return try painter.picture(of: frame)
    }
    if look == nil, frame.image.format.color == plan.color { return frame.image }
    guard let look = look ?? Self.identity else { return try painter.picture(of: frame) }
    return try looks.convert(
      frame.image, with: look, to: frame.image.format.pixelFormat, color: plan.color)
  }

  /// A camera of ten bits whose pictures are cropped or brightened has eight of them for so long.
  func planes(of picture: PixelBuffer) throws(ImageError) -> Coded {
    if plan.isWide, picture.format.pixelFormat.isWide {
      let wide = try wideConverter.convert(picture, orientation: plan.baked, sampling: plan.sampling)
      return Coded(size: wide.size, planes: wide.planes, isWide: true)
    }
    let planes = try converter.convert(
      picture, orientation: plan.baked, sampling: plan.sampling, color: plan.color)
    return Coded(size: planes.format.size, planes: planes.planes, isWide: false)
  }

  /// Changes nothing, so that codes of one description become those of another at ten bits.
  private static let identity = try? ColorLookup(cube: Array("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n".utf8))
}

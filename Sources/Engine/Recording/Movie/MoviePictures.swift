import Imagery

/// The pictures of one video, in the form that its file or its encoder needs. One thread at a time.
final class MoviePictures {
  /// Planes for an encoder, valid until the next are made.
  struct Coded {
    let size: PixelSize
    let planes: [Plane]
    /// Whether samples are 10 bits in the low bits of words; otherwise they are bytes.
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

  /// Whether there is no look that needs 8 bits.
  private let isPlain: Bool

  /// The picture encoded by libjpeg-turbo, turned if the orientation is baked in.
  func jpeg(of frame: Frame) throws(ImageError) -> Photo {
    try pipeline.process(try painter.picture(of: frame), orientation: plan.baked, settings: still)
  }

  /// The picture for `planes(of:)`: hold it as long as you use the planes.
  func picture(of frame: Frame) throws(ImageError) -> PixelBuffer {
    guard plan.isWide, isPlain, frame.image.format.pixelFormat.isWide, try !frame.isLeftToOutputs() else {
      return try painter.picture(of: frame)
    }
    if look == nil, frame.image.format.color == plan.color { return frame.image }
    guard let look = look ?? Self.identity else { return try painter.picture(of: frame) }
    return try looks.convert(
      frame.image, with: look, to: frame.image.format.pixelFormat, color: plan.color)
  }

  /// The planes of a picture. While a 10-bit camera's pictures are cropped or brightened, they have only 8 significant bits.
  func planes(of picture: PixelBuffer) throws(ImageError) -> Coded {
    if plan.isWide, picture.format.pixelFormat.isWide {
      let wide = try wideConverter.convert(picture, orientation: plan.baked, sampling: plan.sampling)
      return Coded(size: wide.size, planes: wide.planes, isWide: true)
    }
    let planes = try converter.convert(
      picture, orientation: plan.baked, sampling: plan.sampling, color: plan.color)
    return Coded(size: planes.format.size, planes: planes.planes, isWide: false)
  }

  /// A look that changes nothing, to convert between colour descriptions at 10 bits.
  private static let identity = try? ColorLookup(cube: Array("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n".utf8))
}

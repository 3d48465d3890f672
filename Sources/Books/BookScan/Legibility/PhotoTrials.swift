import Imagery

/// The photos of one picture at the sizes that may be chosen.
final class PhotoTrials {
  /// The cheapest first, never empty.
  let steps: [TokenStep]
  private let image: PixelBuffer
  private let orientation: Orientation
  private let settings: PhotoSettings
  private let profile: TokenProfile
  private let pipeline = PhotoPipeline()
  private let shrinking = PhotoPipeline()
  private let ordinaryLongSide: Int

  /// Largest picture that counts as full size, pixels: a recogniser holds several copies of it.
  private static let fullArea = 50_000_000

  /// - Throws: `budgetUnattainable` when even the smallest size costs too much.
  init(
    _ image: PixelBuffer, _ orientation: Orientation, _ settings: PhotoSettings, _ goal: LegibilityGoal
  ) throws(ImageError) {
    (self.image, self.orientation, profile) = (image, orientation, goal.profile)
    ordinaryLongSide = settings.longSide ?? settings.maximumLongSide
    var settings = settings
    (settings.tokenBudget, settings.tokenCeiling) = (nil, nil)
    self.settings = settings
    steps = goal.profile.steps(
      for: Self.uprightSize(image, orientation, zoom: settings.zoom), maxTokens: goal.maxTokens,
      maximumLongSide: settings.maximumLongSide)
    guard !steps.isEmpty else {
      throw .budgetUnattainable(budget: "\(goal.maxTokens ?? 0) tokens of \(goal.profile.title)")
    }
  }

  /// After the crop that zooming makes: whatever settings say, a photo is no larger.
  private static func uprightSize(
    _ image: PixelBuffer, _ orientation: Orientation, zoom: Double
  ) -> PixelSize {
    let stored = image.format.size
    let visible = AspectFill(source: stored, orientation: .upright, surface: stored, zoom: zoom).visibleSource
    return orientation.applied(to: visible.size)
  }

  /// The picture at full size, upright.
  func full() throws(ImageError) -> Photo {
    var whole = settings
    let size = Self.uprightSize(image, orientation, zoom: settings.zoom)
    let shrink = min(1, (Double(Self.fullArea) / Double(size.area)).squareRoot())
    whole.longSide = max(1, Int(Double(size.longSide) * shrink))
    (whole.maximumLongSide, whole.quality, whole.maximumBytes) = (ImageLimits.side, 95, nil)
    (whole.container, whole.orientationMode) = (.jpeg, .baked)
    return try pipeline.process(image, orientation: orientation, settings: whole)
  }

  /// The photo as it would be sent. A limit on its bytes may make it smaller than its step.
  func photo(_ step: TokenStep) throws(ImageError) -> Photo { try photo(longSide: step.size.longSide) }

  func photo(longSide: Int) throws(ImageError) -> Photo {
    var small = settings
    small.longSide = longSide
    return try pipeline.process(image, orientation: orientation, settings: small)
  }

  /// What the model sees of a photo.
  func seen(_ photo: Photo) throws(ImageError) -> (bytes: [UInt8], size: PixelSize) {
    try seen(photo, at: profile.seenSize(for: photo.size))
  }

  /// A photo at a smaller size; itself where that is not smaller.
  func seen(_ photo: Photo, at size: PixelSize) throws(ImageError) -> (bytes: [UInt8], size: PixelSize) {
    guard size.area < photo.size.area else { return (photo.bytes, photo.size) }
    let (image, orientation, _) = try ImageFile.read(photo.bytes)
    let copy = try shrinking.process(
      image, orientation: orientation,
      settings: PhotoSettings(
        longSide: size.longSide, maximumLongSide: ImageLimits.side, quality: 95, maximumBytes: nil))
    return (copy.bytes, copy.size)
  }

  func trial(_ photo: Photo, seen: PixelSize, kept: Int, of words: Int) -> Legibility.Trial {
    Legibility.Trial(
      size: photo.size, seen: seen, tokens: profile.tokens(for: photo.size), bytes: photo.bytes.count,
      kept: kept,
      share: words == 0 ? 1 : Double(kept) / Double(words))
  }

  /// Where there is nothing to go by: the dearest that is no larger than a photo ordinarily is.
  var ordinary: Int {
    steps.lastIndex { $0.size.longSide <= ordinaryLongSide } ?? 0
  }
}

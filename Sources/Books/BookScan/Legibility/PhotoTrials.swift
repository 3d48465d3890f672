import Imagery

/// The photos of one picture at the sizes among which the solver chooses.
final class PhotoTrials {
  /// The sizes, cheapest first, never empty.
  let steps: [TokenStep]
  private let image: PixelBuffer
  private let orientation: Orientation
  private let settings: PhotoSettings
  private let profile: TokenProfile
  private let pipeline = PhotoPipeline()
  private let shrinking = PhotoPipeline()
  private let ordinaryLongSide: Int

  /// The largest area that counts as full size, pixels, because a recogniser holds several copies of the picture.
  private static let fullArea = 50_000_000

  /// Computes the sizes.
  /// - Throws: `budgetUnattainable` if even the smallest size costs too much.
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

  /// Returns the size of the upright picture after the zoom's crop. No photo is larger, whatever the settings say.
  private static func uprightSize(
    _ image: PixelBuffer, _ orientation: Orientation, zoom: Double
  ) -> PixelSize {
    let stored = image.format.size
    let visible = AspectFill(source: stored, orientation: .upright, surface: stored, zoom: zoom).visibleSource
    return orientation.applied(to: visible.size)
  }

  /// Makes the upright picture at full size.
  func full() throws(ImageError) -> Photo {
    var whole = settings
    let size = Self.uprightSize(image, orientation, zoom: settings.zoom)
    let shrink = min(1, (Double(Self.fullArea) / Double(size.area)).squareRoot())
    whole.longSide = max(1, Int(Double(size.longSide) * shrink))
    (whole.maximumLongSide, whole.quality, whole.maximumBytes) = (ImageLimits.side, 95, nil)
    (whole.container, whole.orientationMode) = (.jpeg, .baked)
    return try pipeline.process(image, orientation: orientation, settings: whole)
  }

  /// Makes the photo as it would be sent. A limit on the photo's bytes may make the photo smaller than `step`, but it never costs more.
  func photo(_ step: TokenStep) throws(ImageError) -> Photo {
    let photo = try photo(longSide: step.size.longSide)
    guard profile.tokens(for: photo.size) > step.tokens else { return photo }
    var within = settings
    within.maximumLongSide = step.size.longSide
    within.tokenBudget = .init(profile: profile, maxTokens: step.tokens)
    return try pipeline.process(image, orientation: orientation, settings: within)
  }

  func photo(longSide: Int) throws(ImageError) -> Photo {
    var small = settings
    small.longSide = longSide
    return try pipeline.process(image, orientation: orientation, settings: small)
  }

  /// Returns the photo at the size at which the model sees it.
  func seen(_ photo: Photo) throws(ImageError) -> (bytes: [UInt8], size: PixelSize) {
    try seen(photo, at: profile.seenSize(for: photo.size))
  }

  /// Scales a photo down to `size`. Returns it unchanged if `size` is not smaller.
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

  /// The index of the size for a picture without words: the dearest size that is no larger than an ordinary photo.
  var ordinary: Int {
    steps.lastIndex { $0.size.longSide <= ordinaryLongSide } ?? 0
  }
}

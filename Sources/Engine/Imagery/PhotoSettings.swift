/// What a photo for the vision model should be.
public struct PhotoSettings: Sendable, Equatable {
  /// How a turned picture becomes upright for its reader.
  public enum OrientationMode: String, Sendable, Codable, CaseIterable {
    /// The pixels are turned.
    case baked
    /// The pixels stay as stored; EXIF says how to turn them.
    case tagged
  }

  /// The format of the file. PNG loses nothing, and is many times larger.
  public enum Container: String, Sendable, Codable, CaseIterable {
    /// Loses what a viewer hardly sees, by `quality`.
    case jpeg
    /// Loses nothing; `quality` means nothing to it.
    case png
  }

  /// A ceiling on what the model charges for the picture.
  public struct TokenBudget: Sendable, Equatable {
    /// Whose way of counting.
    public var profile: TokenProfile
    /// Most that the picture may cost; the largest size is chosen that does.
    public var maxTokens: Int

    /// A budget; whether any size meets it shows in `targetSize(for:)`.
    public init(profile: TokenProfile, maxTokens: Int) {
      self.profile = profile
      self.maxTokens = maxTokens
    }
  }

  /// Longest side in pixels; nil for full size, up to `maximumLongSide`. Nothing is ever upscaled.
  public var longSide: Int?
  /// No side of a photo is longer, whatever is asked for, in pixels (IMG-6).
  public var maximumLongSide: Int
  /// When set, chooses the size in place of `longSide`.
  public var tokenBudget: TokenBudget?
  /// No photo of a size that `longSide` chooses costs more; it is then smaller. Default is nil, but see `init()`.
  public var tokenCeiling: TokenBudget?
  /// Default is `baked`: readers that know no EXIF see the photo upright, too.
  public var orientationMode: OrientationMode
  /// JPEG quality, 1...100 (libjpeg's scale); clamped.
  public var quality: Int
  /// Whether a JPEG picture of which nothing changes but the orientation stays encoded as it is, turned by its blocks: nothing is lost a
  /// second time, `quality` means nothing to it, and it takes less time. Default is true. A picture that is larger than `maximumBytes`, is
  /// damaged or cannot be turned so without a loss is encoded anew all the same.
  public var preservesEncoding: Bool
  /// Largest file, bytes; nil for no limit. Quality gives way first, while SSIM stays at 0.95, then size.
  public var maximumBytes: Int?
  /// Default is `jpeg`.
  public var container: Container
  /// What the photo is made for; default is `balanced`.
  public var priority: PhotoPriority
  /// What the file says of how the photo came about; nil, the default, for nothing but an orientation. The engine's photo output fills
  /// it in for each frame, unless told not to.
  public var metadata: PhotoMetadata?
  /// Whether the engine's photo output fills in `metadata`. Default is true; false keeps time and camera out of the file.
  public var writesMetadata: Bool
  /// How much of the picture is left away around its centre: 2 leaves half its width and height. Default is 1; less counts as 1. What the
  /// camera cannot zoom by itself, the engine's photo output adds.
  public var zoom: Double
  /// What is added by software to the exposure, in EV (``DigitalExposure``). Default is 0. The engine's photo output adds what the camera
  /// cannot do by itself.
  public var exposureBias: Double
  /// What every colour becomes; nil, the default, for the camera's own.
  public var look: ColorLookup?

  /// Upright JPEG of at most 1024×768 pixels, or 768×1024, and 500,000 bytes, which is what a vision model takes: at most 516 tokens by the
  /// seed's table (IMG-1, IMG-2). A picture that is nearer to a square than 4:3 is less than 1024 pixels long.
  public init() {
    self.init(longSide: 1024)
    tokenCeiling = TokenProfile.named("seed").map { TokenBudget(profile: $0, maxTokens: 516) }
  }

  /// Upright JPEG, at most 1024 pixels long and 500,000 bytes, unless told otherwise.
  public init(
    longSide: Int? = 1024, maximumLongSide: Int = 1920, tokenBudget: TokenBudget? = nil,
    orientationMode: OrientationMode = .baked, quality: Int = 85, preservesEncoding: Bool = true,
    maximumBytes: Int? = 500_000,
    container: Container = .jpeg, priority: PhotoPriority = .balanced, metadata: PhotoMetadata? = nil,
    writesMetadata: Bool = true, zoom: Double = 1, exposureBias: Double = 0, look: ColorLookup? = nil
  ) {
    self.longSide = longSide
    self.maximumLongSide = maximumLongSide
    self.tokenBudget = tokenBudget
    self.orientationMode = orientationMode
    self.quality = quality
    self.preservesEncoding = preservesEncoding
    self.maximumBytes = maximumBytes
    self.container = container
    self.priority = priority
    self.metadata = metadata
    self.writesMetadata = writesMetadata
    self.zoom = zoom
    self.exposureBias = exposureBias
    self.look = look
  }

  /// The size of the photo of an upright picture of `size`.
  /// - Throws: `budgetUnattainable` when even one pixel costs more tokens than allowed.
  public func targetSize(for size: PixelSize) throws(ImageError) -> PixelSize {
    guard let tokenBudget else {
      let size = size.fitted(longSide: min(longSide ?? maximumLongSide, maximumLongSide))
      return try tokenCeiling.map { budget throws(ImageError) in try budget.best(for: size) } ?? size
    }
    return try tokenBudget.best(for: size.fitted(longSide: maximumLongSide))
  }
}

extension PhotoSettings.TokenBudget {
  fileprivate func best(for size: PixelSize) throws(ImageError) -> PixelSize {
    guard let best = profile.bestSize(for: size, maxTokens: maxTokens) else {
      throw .budgetUnattainable(budget: "\(maxTokens) tokens of \(profile.title)")
    }
    return best
  }
}

extension PixelSize {
  /// The same shape with a longest side of at most `limit` (at least 1): the short side rounded to nearest, never 0.
  public func fitted(longSide limit: Int) -> PixelSize {
    let limit = max(limit, 1)
    guard longSide > limit else { return self }
    let short = max(1, Int((Double(shortSide) * Double(limit) / Double(longSide)).rounded()))
    return width >= height ? PixelSize(width: limit, height: short) : PixelSize(width: short, height: limit)
  }
}

/// A finished photo.
public struct Photo: Sendable {
  /// The time each step took on the wall. Scaling and turning are one pass.
  public struct Timings: Sendable, Equatable {
    /// Compressed bytes to planes; zero for a raw frame.
    public var decode = Duration.zero
    /// Both are one pass.
    public var scaleAndTurn = Duration.zero
    /// The conversion to what the encoder takes.
    public var color = Duration.zero
    /// Planes to the file, again where the first try was larger than `maximumBytes`.
    public var encode = Duration.zero

    /// The time the processors spent on all of it, on both threads: what other programs take from the wall time is not in it.
    public var processor = Duration.zero
    /// The part of `processor` that was spent on the second thread.
    public var helper = Duration.zero

    /// All four steps.
    public var total: Duration { decode + scaleAndTurn + color + encode }
  }

  /// The file.
  public let bytes: [UInt8]
  /// As displayed, upright.
  public let size: PixelSize
  /// As stored: differs from `size` when tagged with a quarter-turn.
  public let storedSize: PixelSize
  /// The EXIF orientation a reader must apply: 1 when baked.
  public let exifOrientation: Int
  /// The JPEG quality used, at most the one asked for; 100 for what loses nothing: PNG, and a picture that kept its encoding.
  public let quality: Int
  /// The picture is encoded as its source was (``PhotoSettings/preservesEncoding``).
  public let isEncodingPreserved: Bool
  /// How long it took, step by step.
  public package(set) var timings: Timings
  /// What was wrong with a source that could still be used.
  public let notes: [String]
}

/// The settings of a photo for the vision model.
public struct PhotoSettings: Sendable, Equatable {
  /// The way in which a turned picture becomes upright for its reader.
  public enum OrientationMode: String, Sendable, Codable, CaseIterable {
    /// The pixels are turned.
    case baked
    /// The pixels stay as stored; EXIF tells how to turn them.
    case tagged
  }

  /// The format of the file. PNG is lossless, and many times larger.
  public enum Container: String, Sendable, Codable, CaseIterable {
    /// Lossy, by `quality`.
    case jpeg
    /// Lossless; `quality` has no effect.
    case png
  }

  /// A limit on the number of tokens that the model charges for the picture.
  public struct TokenBudget: Sendable, Equatable {
    /// The way of counting.
    public var profile: TokenProfile
    /// The largest number of tokens for the picture; the largest size within it is chosen.
    public var maxTokens: Int

    /// Creates a budget. Whether any size meets it is decided in `targetSize(for:)`.
    public init(profile: TokenProfile, maxTokens: Int) {
      self.profile = profile
      self.maxTokens = maxTokens
    }
  }

  /// The longest side in pixels; nil for full size, up to `maximumLongSide`. Pictures are never enlarged.
  public var longSide: Int?
  /// The upper limit of the longest side in pixels, whatever else is requested (IMG-6).
  public var maximumLongSide: Int
  /// A token budget that decides the size instead of `longSide`; nil, the default, uses `longSide`.
  public var tokenBudget: TokenBudget?
  /// The largest number of tokens if `longSide` decides the size; a photo that would
  /// cost more becomes smaller. The default is nil, but see `init()`.
  public var tokenCeiling: TokenBudget?
  /// The way in which a turned picture becomes upright. The default is `baked`, so that readers without EXIF support show the photo upright, too.
  public var orientationMode: OrientationMode
  /// JPEG quality, 1...100 (libjpeg's scale); clamped.
  public var quality: Int
  /// Whether a JPEG picture that only changes its orientation keeps its encoding and has its blocks turned: there is no second
  /// loss, `quality` has no effect, and it takes less time. The default is true. A picture that is larger than `maximumBytes`, is
  /// damaged or cannot be turned without a loss is encoded anew all the same.
  public var preservesEncoding: Bool
  /// The largest file, in bytes; nil for no limit. To meet it, the quality is reduced first, while SSIM stays at 0.95, then the size.
  public var maximumBytes: Int?
  /// The format of the file. The default is `jpeg`.
  public var container: Container
  /// The purpose of the photo. The default is `balanced`.
  public var priority: PhotoPriority
  /// The metadata of the file; nil, the default, writes only an orientation. The engine's photo output fills
  /// it in for each frame, unless `writesMetadata` is false.
  public var metadata: PhotoMetadata?
  /// Whether the engine's photo output fills in `metadata`. The default is true; false keeps time and camera out of the file.
  public var writesMetadata: Bool
  /// The crop about the centre: 2 keeps half the width and height. The default is 1; less counts as 1. The engine's photo output
  /// adds the part of the zoom that the camera cannot do itself.
  public var zoom: Double
  /// The exposure bias to add by software, in EV (``DigitalExposure``). The default is 0. The engine's photo output adds the part
  /// that the camera cannot do itself.
  public var exposureBias: Double
  /// The colour lookup to apply; nil, the default, keeps the camera's colours.
  public var look: ColorLookup?

  /// Creates settings for an upright JPEG of at most 1024×768 pixels, or 768×1024, and 500,000 bytes, as a vision model accepts it: at most
  /// 516 tokens by the seed's table (IMG-1, IMG-2). A picture that is nearer to a square than 4:3 is less than 1024 pixels long.
  public init() {
    self.init(longSide: 1024)
    tokenCeiling = TokenProfile.named("seed").map { TokenBudget(profile: $0, maxTokens: 516) }
  }

  /// Creates settings; by default for an upright JPEG of at most 1024 pixels on the long side and 500,000 bytes.
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
  /// - Throws: `budgetUnattainable` if even one pixel costs more tokens than allowed.
  public func targetSize(for size: PixelSize) throws(ImageError) -> PixelSize {
    guard let tokenBudget else {
      let size = size.fitted(longSide: min(longSide ?? maximumLongSide, maximumLongSide))
      return try tokenCeiling.map { budget throws(ImageError) in try budget.best(for: size) } ?? size
    }
    return try tokenBudget.best(for: size.fitted(longSide: maximumLongSide))
  }

  /// The size, reduced if it costs more tokens than allowed: by some rules a smaller picture may cost more than a larger one.
  /// - Throws: `budgetUnattainable` if even one pixel costs more.
  func affordable(_ size: PixelSize) throws(ImageError) -> PixelSize {
    guard let budget = tokenBudget ?? tokenCeiling, budget.profile.tokens(for: size) > budget.maxTokens else {
      return size
    }
    return try budget.best(for: size)
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
  /// The size reduced to a longest side of at most `limit` pixels, with the same aspect ratio; unchanged if it is not longer. A `limit` below 1
  /// counts as 1. The short side is rounded to the nearest pixel and is at least 1.
  public func fitted(longSide limit: Int) -> PixelSize {
    let limit = max(limit, 1)
    guard longSide > limit else { return self }
    let short = max(1, Int((Double(shortSide) * Double(limit) / Double(longSide)).rounded()))
    return width >= height ? PixelSize(width: limit, height: short) : PixelSize(width: short, height: limit)
  }
}

/// A finished photo.
public struct Photo: Sendable {
  /// The elapsed time of each step. Scaling and turning are one pass.
  public struct Timings: Sendable, Equatable {
    /// From compressed bytes to planes; zero for a raw frame.
    public var decode = Duration.zero
    /// Scaling and turning, in one pass.
    public var scaleAndTurn = Duration.zero
    /// The conversion to the encoder's input format.
    public var color = Duration.zero
    /// From planes to the file, including further tries if the first file was larger than `maximumBytes`.
    public var encode = Duration.zero

    /// The processor time of all steps on both threads; it does not include time that other programs take.
    public var processor = Duration.zero
    /// The part of `processor` on the second thread.
    public var helper = Duration.zero

    /// The sum of the four steps.
    public var total: Duration { decode + scaleAndTurn + color + encode }
  }

  /// The contents of the file.
  public let bytes: [UInt8]
  /// The size as displayed, upright.
  public let size: PixelSize
  /// The size as stored: it differs from `size` if a quarter-turn is tagged.
  public let storedSize: PixelSize
  /// The EXIF orientation that a reader must apply: 1 if baked.
  public let exifOrientation: Int
  /// The JPEG quality, at most the requested one; 100 if nothing is lost: PNG, and a picture that kept its encoding.
  public let quality: Int
  /// Whether the picture kept the encoding of its source (``PhotoSettings/preservesEncoding``).
  public let isEncodingPreserved: Bool
  /// The time of each step.
  public package(set) var timings: Timings
  /// The defects of a source that could still be used.
  public let notes: [String]
}

/// A vendor's rule for the number of tokens of a picture, by its size.
enum TokenRule: Sendable, Equatable {
  /// `tokens` for each square of `side`×`side` pixels. A part of a square counts as a whole one.
  case grid(side: Int, tokens: Int)
  /// Gemini 2: 258 up to 384×384, else 258 for each square crop with sides of ⌊short side / 1.5⌋ pixels. A part of a crop counts as a whole one.
  case cropUnits
  /// `tokens` for every picture. The picture is first fitted into a square of `side` pixels; if `side` is nil, it keeps its size.
  case flat(tokens: Int, side: Int?)
  /// Anthropic, before patches: one token for each `pixels` pixels, rounded up, of the largest size with sides ≤ `edge` and
  /// at most `tokens` tokens.
  case area(pixels: Int, edge: Int, tokens: Int)
  /// OpenAI: the picture is fitted into 2048×2048, then its short side is reduced to 768; both only
  /// reduce. It costs `base` tokens, and `tile` tokens for each square of 512 pixels.
  case tiles(base: Int, tile: Int)
  /// OpenAI: the picture is fitted into a square of `side` pixels and cut into patches of 32 pixels, at most `cap`. Each patch
  /// costs `hundredths` hundredths of a token; a fraction of a token is rounded up (`roundsUp`), or to the nearest.
  case patches(cap: Int, hundredths: Int, side: Int?, roundsUp: Bool)
  /// Anthropic: 28-pixel patches of the largest size with padded edges ≤ `edge` and at most `tokens` patches.
  case paddedPatches(edge: Int, tokens: Int)
  /// Qwen `smart_resize`: sides to multiples of `factor` (half to even), area within `area` pixels.
  case smartResize(factor: Int, area: ClosedRange<Int>)

  func tokens(_ size: PixelSize) -> Int {
    let seen = seen(size)
    switch self {
    case .grid(let side, let tokens): return size.cells(side) * tokens
    case .cropUnits: return size.longSide <= 384 ? 258 : size.cells(Self.cropUnit(size)) * 258
    case .flat(let tokens, _): return tokens
    case .area(let pixels, _, _): return seen.groups(pixels)
    case .tiles(let base, let tile): return base + seen.cells(512) * tile
    case .patches(_, let hundredths, _, let roundsUp):
      return (seen.cells(32) * hundredths + (roundsUp ? 99 : 50)) / 100
    case .paddedPatches: return seen.cells(28)
    case .smartResize(let factor, _): return seen.cells(factor)
    }
  }

  /// The size at which the model sees a picture of `size`; more pixels are useless.
  func seen(_ size: PixelSize) -> PixelSize {
    switch self {
    case .grid: return size
    case .flat(_, let side): return size.fitting(side)
    case .cropUnits:
      // Each crop is scaled to 768 pixels.
      let unit = Self.cropUnit(size)
      return size.longSide <= 384 || unit <= 768 ? size : size.scaled(768 / Double(unit))
    case .tiles:
      let fitted = size.fitting(2048)
      return fitted.scaled(min(1, 768 / Double(fitted.shortSide)))
    case .patches(let cap, _, let side, _): return Self.patched(size.fitting(side), cap)
    case .paddedPatches(let edge, let tokens):
      return Self.largest(size) { $0.longSide.aligned(to: 28) <= edge && $0.cells(28) <= tokens }
    case .area(let pixels, let edge, let tokens):
      return Self.largest(size) { $0.longSide <= edge && $0.groups(pixels) <= tokens }
    case .smartResize(let factor, let area): return Self.smartResized(size, factor, area: area)
    }
  }

  private static func cropUnit(_ size: PixelSize) -> Int { max(1, size.shortSide * 2 / 3) }

  private static func patched(_ size: PixelSize, _ cap: Int) -> PixelSize {
    guard size.cells(32) > cap else { return size }
    let shrink = (1024 * Double(cap) / Double(size.area)).squareRoot()
    let (across, down) = (Double(size.width) * shrink / 32, Double(size.height) * shrink / 32)
    let fit = min(max(across.rounded(.down), 1) / across, max(down.rounded(.down), 1) / down)
    return size.scaled(shrink * fit)
  }

  /// The largest allowed size of the picture's shape.
  private static func largest(_ size: PixelSize, where isAllowed: (PixelSize) -> Bool) -> PixelSize {
    guard !isAllowed(size) else { return size }
    let ratio = Double(size.shortSide) / Double(size.longSide)
    // Cost grows with the long side: bisect for the longest allowed.
    var (allowed, refused) = (1, size.longSide)
    while refused - allowed > 1 {
      let middle = (allowed + refused) / 2
      if isAllowed(size.resized(middle, ratio)) { allowed = middle } else { refused = middle }
    }
    return size.resized(allowed, ratio)
  }

  private static func smartResized(_ size: PixelSize, _ factor: Int, area: ClosedRange<Int>) -> PixelSize {
    let unit = Double(factor)
    let multiple = { (side: Double, rule: FloatingPointRoundingRule) in
      max(factor, Int((side / unit).rounded(rule)) * factor)
    }
    let (width, height) = (Double(size.width), Double(size.height))
    let plain = PixelSize(
      width: multiple(width, .toNearestOrEven), height: multiple(height, .toNearestOrEven))
    if plain.area > area.upperBound {
      let shrink = (width * height / Double(area.upperBound)).squareRoot()
      return PixelSize(width: multiple(width / shrink, .down), height: multiple(height / shrink, .down))
    }
    guard plain.area < area.lowerBound else { return plain }
    let grow = (Double(area.lowerBound) / (width * height)).squareRoot()
    return PixelSize(width: multiple(width * grow, .up), height: multiple(height * grow, .up))
  }
}

extension PixelSize {
  /// The number of squares of `side`×`side` pixels that cover the picture, whole or in part.
  fileprivate func cells(_ side: Int) -> Int { (width + side - 1) / side * ((height + side - 1) / side) }

  /// The area divided by `pixels`, rounded up.
  fileprivate func groups(_ pixels: Int) -> Int { (area + pixels - 1) / pixels }

  /// The size fitted into a square of `side` pixels, never enlarged.
  fileprivate func fitting(_ side: Int?) -> PixelSize {
    scaled(min(1, Double(side ?? longSide) / Double(longSide)))
  }

  fileprivate func scaled(_ factor: Double) -> PixelSize {
    PixelSize(
      width: max(1, Int((Double(width) * factor).rounded())),
      height: max(1, Int((Double(height) * factor).rounded())))
  }

  /// The size with the given long side, and the short side in `ratio` to it, rounded half to even.
  fileprivate func resized(_ long: Int, _ ratio: Double) -> PixelSize {
    let short = max(1, Int((Double(long) * ratio).rounded(.toNearestOrEven)))
    return width >= height ? PixelSize(width: long, height: short) : PixelSize(width: short, height: long)
  }
}

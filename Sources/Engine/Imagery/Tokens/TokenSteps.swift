/// A possible size of a photo, with its cost in tokens.
public struct TokenStep: Sendable, Equatable {
  /// The size of the photo, in pixels.
  public let size: PixelSize
  /// The size at which the model sees it, in pixels: never larger than `size`.
  public let seen: PixelSize
  /// The number of tokens by the profile.
  public let tokens: Int
}

extension TokenStep {
  /// Whether the model sees more. The vendor's resizing rounds sizes, so one pixel more does not count.
  fileprivate func showsMore(than other: TokenStep) -> Bool {
    seen.area > other.seen.area && (seen == size || seen.longSide > other.seen.longSide + 1)
  }
}

extension TokenProfile {
  /// The shortest long side of a step in pixels, unless the picture itself is smaller. In a smaller photo no shelf is
  /// readable.
  public static let shortestLongSide = 128

  /// The sizes worth trying, the cheapest first; each shows the model more than all sizes of the same or lower cost.
  ///
  /// If many sizes cost the same, as with tiles, these are the largest sizes of each cost. If the cost grows with every few pixels,
  /// the sizes are thinned: the long side grows by a tenth from step to step, and the costs of 1024, 1536 and 1920
  /// pixels are always included. Of several sizes with the same cost that the model sees alike, the smallest is listed, since it is useless to send
  /// pixels that the vendor removes.
  /// - Parameters:
  ///   - size: the size of the upright picture, in pixels; no step is larger.
  ///   - maxTokens: the largest cost of a step; nil for no limit.
  ///   - maximumLongSide: the longest long side of a step, in pixels.
  /// - Returns: an empty array if even the smallest size costs more than `maxTokens`.
  public func steps(for size: PixelSize, maxTokens: Int? = nil, maximumLongSide: Int = 1920) -> [TokenStep] {
    let longest = min(size.longSide, max(maximumLongSide, 1))
    var best: [Int: TokenStep] = [:]
    for longSide in min(longest, Self.shortestLongSide)...longest {
      let step = step(size.fitted(longSide: longSide))
      guard step.tokens <= maxTokens ?? .max else { continue }
      if let known = best[step.tokens], !step.showsMore(than: known) { continue }
      best[step.tokens] = step
    }
    var steps: [TokenStep] = []
    for step in best.values.sorted(by: { $0.tokens < $1.tokens })
    where step.seen.area > steps.last?.seen.area ?? 0 { steps.append(step) }
    return thinned(steps, of: size)
  }

  private func step(_ size: PixelSize) -> TokenStep {
    let seen = seenSize(for: size)
    return TokenStep(size: size, seen: seen.area < size.area ? seen : size, tokens: tokens(for: size))
  }

  /// - Parameter steps: ordered by cost, the cheapest first.
  private func thinned(_ steps: [TokenStep], of size: PixelSize) -> [TokenStep] {
    guard steps.count > 8 else { return steps }
    let milestones = Set(
      [1024, 1536, 1920].filter { $0 <= size.longSide }.compactMap { longSide in
        let cost = tokens(for: size.fitted(longSide: longSide))
        return steps.last { $0.tokens <= cost }?.tokens
      })
    var kept: [TokenStep] = []
    for step in steps.reversed() {
      let isNear = kept.last.map { step.seen.longSide * 10 > $0.seen.longSide * 9 } ?? false
      if !isNear || milestones.contains(step.tokens) { kept.append(step) }
    }
    return kept.reversed()
  }
}

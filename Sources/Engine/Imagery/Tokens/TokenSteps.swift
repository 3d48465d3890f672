/// A size at which a photo may be sent, and what it costs there.
public struct TokenStep: Sendable, Equatable {
  /// The photo's own, pixels.
  public let size: PixelSize
  /// The size at which the model looks at it, pixels: never larger than `size`.
  public let seen: PixelSize
  /// What the picture costs by the profile.
  public let tokens: Int
}

extension TokenStep {
  /// What is shrunk by the vendor is rounded, too: a pixel more is no gain.
  fileprivate func showsMore(than other: TokenStep) -> Bool {
    seen.area > other.seen.area && (seen == size || seen.longSide > other.seen.longSide + 1)
  }
}

extension TokenProfile {
  /// No step has a shorter long side, pixels, unless the picture itself has: below, no shelf can be read.
  public static let shortestLongSide = 128

  /// The sizes worth trying, the cheapest first; each shows the model more than all that cost less or the same.
  ///
  /// Where many pixels cost the same, as with tiles, these are the largest size of each cost. Where the cost grows with every few pixels
  /// they are thinned to a ladder: from one to the next a tenth of the long side, and in any case those for the cost of 1024, 1536 and 1920
  /// pixels. Of several sizes that cost the same and that the model sees alike, it is the smallest: what the vendor shrinks away is
  /// sent in vain.
  /// - Parameters:
  ///   - size: of the upright picture, pixels; no step is larger.
  ///   - maxTokens: most that a step may cost; nil for no limit.
  ///   - maximumLongSide: no step's long side is longer, pixels.
  /// - Returns: nothing when even the smallest size costs more than `maxTokens`.
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

  /// - Parameter steps: the cheapest first.
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

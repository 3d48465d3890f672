/// Finds the cheapest of several sizes that keeps enough, with few trials: each costs a reading.
///
/// From a guess it goes up or down in growing steps until the answer lies between two sizes that were tried, and halves the rest. That
/// is right as long as larger sizes keep more. Recognisers do not always: so one more size is tried below the cheapest that failed, or
/// where all failed below the dearest, and if it keeps enough the next one below. What is returned was tried itself in any case.
struct CheapestSearch {
  /// Sizes there are, numbered from the cheapest.
  let count: Int

  /// - Parameters:
  ///   - guess: a number within `count`.
  ///   - keeps: whether a size keeps enough; called at most once for each.
  /// - Returns: nil when none of those tried does.
  func cheapest<Failure: Error>(
    from guess: Int, keeps: (Int) throws(Failure) -> Bool
  ) throws(Failure) -> Int? {
    guard count > 0 else { return nil }
    var tried: Set<Int> = []
    // The answer is in low...high; `count` stands for none.
    var (low, high) = (0, count)
    var (probe, stride) = (min(max(guess, 0), count - 1), 1)
    var (isBelow, isAbove) = (false, false)
    while low < high {
      tried.insert(probe)
      if try keeps(probe) { (high, isAbove) = (probe, true) } else { (low, isBelow) = (probe + 1, true) }
      if isBelow, isAbove {
        probe = (low + high) / 2
      } else {
        probe = isAbove ? max(low, high - stride) : min(count - 1, low + stride - 1)
        stride *= 2
      }
    }
    var best = high < count ? high : nil
    while let next = (0..<(best ?? count)).last(where: { !tried.contains($0) }) {
      tried.insert(next)
      guard try keeps(next) else { break }
      best = next
    }
    return best
  }
}

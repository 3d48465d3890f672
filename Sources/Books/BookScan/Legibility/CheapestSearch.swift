/// Finds the cheapest size of a picture that keeps enough words, with few trials, because each trial costs a reading.
///
/// From a guess the search goes up or down in growing steps until the answer lies between two tried sizes, and then halves that
/// interval. The result is right if larger sizes keep more, which is not always true of recognisers. So the search then tries the
/// untried sizes below the result, from the dearest downwards, as long as they keep enough. The returned size was always tried
/// itself.
struct CheapestSearch {
  /// The number of sizes. They are numbered from the cheapest.
  let count: Int

  /// Searches from a guess.
  /// - Parameters:
  ///   - guess: the number of the size to try first, clamped to 0..<`count`.
  ///   - keeps: whether a size keeps enough; called at most once for each size.
  /// - Returns: the cheapest size found; nil if no tried size keeps enough.
  func cheapest<Failure: Error>(
    from guess: Int, keeps: (Int) throws(Failure) -> Bool
  ) throws(Failure) -> Int? {
    guard count > 0 else { return nil }
    var tried: Set<Int> = []
    // The answer is in low...high; `high == count` means that no size keeps enough.
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

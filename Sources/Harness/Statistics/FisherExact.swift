import Foundation

/// Fisher's exact test of two shares (Fisher 1922): how surprising it is that so many of the marked fell to the second group, if
/// both groups were drawn from the same.
enum FisherExact {
  /// The one-sided p-value: the chance of `second` or more of the marked in the second group, with the margins as they are.
  /// - Parameters:
  ///   - first: marked of `firstCount`, 0...firstCount.
  ///   - second: marked of `secondCount`, 0...secondCount.
  static func more(first: Int, of firstCount: Int, second: Int, of secondCount: Int) -> Double {
    let marked = first + second
    let whole = choose(firstCount + secondCount, marked)
    let most = min(secondCount, marked)
    guard second <= most else { return 1 }
    let chances = (second...most).filter { marked - $0 <= firstCount }.map {
      exp(choose(secondCount, $0) + choose(firstCount, marked - $0) - whole)
    }
    return min(1, chances.reduce(0, +))
  }

  /// ln of the binomial coefficient.
  private static func choose(_ count: Int, _ part: Int) -> Double {
    lgamma(Double(count) + 1) - lgamma(Double(part) + 1) - lgamma(Double(count - part) + 1)
  }
}

import Foundation

/// The runs at which a change may have come, besides the most probable run: those that the likelihood ratio cannot exclude at 95 % (Hansen,
/// "Sample splitting and threshold estimation", Econometrica 68, 2000: the ratio of the sums of squares has the distribution `(1 −
/// e^(−x/2))²`, whatever the size of the change). Outliers are first clipped to three deviations from their level.
struct ChangePlace {
  static let confidence = 0.95
  /// The 95 % quantile of that distribution: 7.35.
  private static let limit = -2 * log(1 - confidence.squareRoot())

  /// - Parameters:
  ///   - values: the values from the previous change to the next change.
  ///   - place: the index of the first value at the new level.
  /// - Returns: indices, ascending, including `place`.
  static func candidates(_ values: ArraySlice<Double>, place: Int) -> [Int] {
    let parts = [values[values.startIndex..<place], values[place...]]
    let tame = ArraySlice(parts.flatMap(tamed))
    let best = place - values.startIndex
    let least = squares(tame, parted: best)
    let variance = least / Double(max(1, tame.count - 2))
    guard variance > 0 else { return [place] }
    return (1..<tame.count).filter { $0 == best || (squares(tame, parted: $0) - least) / variance <= limit }
      .map { $0 + values.startIndex }
  }

  private static func tamed(_ values: ArraySlice<Double>) -> [Double] {
    let middle = values.middle
    let deviation = 1.4826 * values.map { abs($0 - middle) }.middle
    guard deviation > 0 else { return Array(values) }
    return values.map { min(max($0, middle - 3 * deviation), middle + 3 * deviation) }
  }

  private static func squares(_ values: ArraySlice<Double>, parted place: Int) -> Double {
    [values[..<place], values[place...]].reduce(0) { sum, part in
      let mean = part.reduce(0, +) / Double(max(1, part.count))
      return sum + part.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    }
  }
}

extension Sequence<Double> {
  /// The median, between the two in the middle; 0 of none.
  var middle: Double {
    let sorted = sorted()
    return sorted.isEmpty ? 0 : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

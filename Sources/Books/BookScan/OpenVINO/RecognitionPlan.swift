/// The parameters of a recognition level.
struct RecognitionPlan {
  /// For each pass, the longest side of the copy that is searched, pixels. Small photos are enlarged at most twofold. The first
  /// pass searches both directions; later passes search only the directions in which text was found.
  var sides: [Int]
  /// The least share of the text, by length, that must run in a direction for later passes to search that direction.
  var leastShare: Double
  /// The least overlap at which two candidates of different passes count as one, as a share of the larger area, 0…1.
  var sameness = 0.85
  /// The least confidence, 0…1, at which a line replaces the candidates that it covers: they are not read.
  var sureness = 0.9
  /// The confidence, 0…1, below which a line is also read from the other end.
  var doubt: Double
  /// The confidence, 0…1, below which a line is read again with stretched contrast.
  var faint = 0.8
  /// The confidence, 0…1, below which a line is dropped.
  var leastConfidence = 0.45
  /// Whether lines are read again together with the ground before and behind them.
  var growsLines: Bool

  init(_ level: RecognitionLevel) {
    switch level {
    case .fast:
      sides = [640, 1840]
      (faint, sameness, leastShare, doubt) = (0, 0.7, 0.2, 0.8)
      growsLines = false
    case .accurate:
      sides = [960, 2400]
      (leastShare, doubt) = (0.05, 0.95)
      growsLines = true
    }
  }

  /// Returns the scale of each pass. A small photo has fewer passes, because a larger copy would show nothing more.
  func scales(longSide: Int) -> [Double] {
    var scales: [Double] = []
    for side in sides {
      let scale = min(Double(side) / Double(longSide), 2)
      if let last = scales.last, scale <= 1.2 * last { continue }
      scales.append(scale)
    }
    return scales
  }
}

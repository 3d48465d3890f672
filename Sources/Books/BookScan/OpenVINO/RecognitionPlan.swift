/// What a level means in figures.
struct RecognitionPlan {
  /// Longest side of the copy of the photo that each pass searches, pixels; small photos are enlarged at most twofold. The first pass is in
  /// both directions, the others in those that it found text in.
  var sides: [Int]
  /// A direction counts when this share of the text, by length, runs in it.
  var leastShare: Double
  /// Candidates of two passes are one when they share this much of the larger one's area.
  var sameness = 0.85
  /// Where a line was read this surely, 0…1, candidates that it covers are not read.
  var sureness = 0.9
  /// Lines read less surely than this, 0…1, are read from the other end as well.
  var doubt: Double
  /// Lines read less surely than this both ways are read once more with their contrast spread.
  var faint = 0.8
  /// Lines read less surely than this are dropped.
  var leastConfidence = 0.45
  /// Lines are read once more with what stands before and behind them.
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

  /// Scale of each pass; of a small photo, which has no more to show on a larger copy, there are fewer.
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

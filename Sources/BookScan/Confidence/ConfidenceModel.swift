import Glibc

/// The probability that a record is a book on this shelf with the right title: a logistic regression (Cox, "The regression analysis of
/// binary sequences", JRSS B 20(2), 1958) over the features, each less its mean and by its deviation.
struct ConfidenceModel: Sendable {
  /// One feature's part.
  struct Term: Sendable {
    var feature: RecordFeature
    var mean: Double
    /// Over 0.
    var deviation: Double
    /// What a deviation more adds to the logarithm of the odds.
    var weight: Double
  }

  var intercept: Double
  var terms: [Term]
  /// From this probability on a record is sure.
  var sure: Double
  /// Below this one it is unlikely.
  var doubtful: Double

  /// - Returns: 0…1. A feature that is missing counts as its mean; one that is no number does, too.
  func probability(_ features: [RecordFeature: Double]) -> Double {
    let odds = terms.reduce(intercept) { sum, term in
      guard let value = features[term.feature], value.isFinite else { return sum }
      // Beyond three deviations a feature says no more: a photo of another kind is not judged by one number.
      return sum + term.weight * min(max((value - term.mean) / term.deviation, -3), 3)
    }
    return 1 / (1 + exp(-odds))
  }

  func certainty(_ probability: Double) -> Certainty {
    probability >= sure ? .sure : probability >= doubtful ? .doubtful : .unlikely
  }

  /// The finding with its probability and certainty.
  func judged(_ record: MeasuredRecord) -> SpineFinding {
    var finding = record.finding
    finding.confidence = probability(record.features)
    finding.certainty = certainty(finding.confidence)
    return finding
  }
}

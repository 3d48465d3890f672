import Glibc

/// A logistic regression (Cox, "The regression analysis of binary sequences", JRSS B 20(2), 1958) over the features of a record, each
/// less its mean and by its deviation.
struct LogisticRegression: Sendable {
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
  /// Deviations beyond which a feature says no more: a photo of another kind is not judged by one number.
  static let reach = 3.0

  /// - Returns: 0…1. A feature that is missing counts as its mean; one that is no number does, too.
  func probability(_ features: [RecordFeature: Double]) -> Double {
    let odds = terms.reduce(intercept) { sum, term in
      guard let value = features[term.feature], value.isFinite else { return sum }
      let deviations = (value - term.mean) / term.deviation
      return sum + term.weight * min(max(deviations, -Self.reach), Self.reach)
    }
    return 1 / (1 + exp(-odds))
  }
}

import Glibc

/// A logistic regression (Cox, "The regression analysis of binary sequences", JRSS B 20(2), 1958) over the standardised features
/// of a record. A feature is standardised by subtracting its mean and dividing by its standard deviation.
struct LogisticRegression: Sendable {
  struct Term: Sendable {
    var feature: RecordFeature
    var mean: Double
    /// The standard deviation, more than 0.
    var deviation: Double
    /// The change of the log odds per standard deviation.
    var weight: Double
  }

  var intercept: Double
  var terms: [Term]
  /// The limit of a standardised feature, in standard deviations. It keeps one feature alone from deciding on an unusual photo.
  static let reach = 3.0

  /// Predicts a probability.
  /// - Returns: 0…1. A feature that is missing or not finite counts as its mean.
  func probability(_ features: [RecordFeature: Double]) -> Double {
    let odds = terms.reduce(intercept) { sum, term in
      guard let value = features[term.feature], value.isFinite else { return sum }
      let deviations = (value - term.mean) / term.deviation
      return sum + term.weight * min(max(deviations, -Self.reach), Self.reach)
    }
    return 1 / (1 + exp(-odds))
  }
}

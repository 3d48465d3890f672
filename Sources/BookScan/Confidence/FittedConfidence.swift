extension ConfidenceModel {
  static let fitted = ConfidenceModel(
    intercept: 0,
    terms: [
      Term(feature: .letters, mean: 3.3, deviation: 1, weight: 1),
      Term(feature: .flanked, mean: 0.8, deviation: 0.4, weight: 1),
      Term(feature: .broken, mean: 0.2, deviation: 0.4, weight: -1),
    ], sure: 0.8, doubtful: 0.4)
}

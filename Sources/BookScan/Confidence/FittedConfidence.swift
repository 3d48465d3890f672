extension ConfidenceModel {
  /// Fitted on 2026-11-25 by `scripts/fit-confidence` to 17 photographs whose spines are known and 27 pictures without a shelf.
  /// The photographs are not ours to pass on.
  static let fitted = ConfidenceModel(
    shelf: LogisticRegression(
      intercept: 2.2644,
      terms: [
        .init(feature: .length, mean: 3.3409, deviation: 0.6249, weight: 1.1681),
        .init(feature: .longFlanks, mean: 1.7726, deviation: 0.5121, weight: 1.3278),
        .init(feature: .flankedShare, mean: 0.9719, deviation: 0.1330, weight: 0.8332),
        .init(feature: .parallels, mean: 2.2578, deviation: 0.8900, weight: 1.6333),
        .init(feature: .lines, mean: 1.3679, deviation: 0.4873, weight: -0.7379),
      ]),
    title: LogisticRegression(
      intercept: 0.8332,
      terms: [
        .init(feature: .letters, mean: 4.2159, deviation: 1.4543, weight: 0.5281),
        .init(feature: .leastLine, mean: 3.7086, deviation: 1.6569, weight: 0.3492),
        .init(feature: .length, mean: 3.0533, deviation: 1.0702, weight: 1.1132),
        .init(feature: .words, mean: 1.7041, deviation: 0.5830, weight: 0.5179),
        .init(feature: .plausible, mean: 0.8975, deviation: 0.2707, weight: 0.4005),
        .init(feature: .span, mean: 0.6338, deviation: 0.3436, weight: 0.6757),
        .init(feature: .broken, mean: 0.1566, deviation: 0.3634, weight: -0.8181),
        .init(feature: .longFlanks, mean: 1.8188, deviation: 0.5188, weight: 0.2957),
        .init(feature: .covered, mean: 0.0027, deviation: 0.0268, weight: -0.7640),
        .init(feature: .parallelShare, mean: 0.8054, deviation: 0.3243, weight: 0.5295),
      ]),
    leastShelf: 0.45, sure: 0.815, doubtful: 0.335)
}

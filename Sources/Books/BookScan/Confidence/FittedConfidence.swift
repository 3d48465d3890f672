extension ConfidenceModel {
  /// Fitted on 2026-11-28 by `scripts/fit-confidence` to 17 photographs whose spines are known; `shelf` is an earlier fit's.
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
      intercept: 0.8894,
      terms: [
        .init(feature: .letters, mean: 4.2170, deviation: 1.3708, weight: 0.4256),
        .init(feature: .leastLine, mean: 3.6816, deviation: 1.5606, weight: 0.1924),
        .init(feature: .length, mean: 3.2388, deviation: 0.7393, weight: 0.9373),
        .init(feature: .words, mean: 1.7535, deviation: 0.5315, weight: 0.3560),
        .init(feature: .plausible, mean: 0.9595, deviation: 0.1549, weight: 0.8563),
        .init(feature: .span, mean: 0.6835, deviation: 0.3180, weight: 0.2199),
        .init(feature: .broken, mean: 0.0905, deviation: 0.2869, weight: -0.5046),
        .init(feature: .longFlanks, mean: 1.8515, deviation: 0.4582, weight: 0.4713),
        .init(feature: .fill, mean: 0.7327, deviation: 0.1707, weight: 0.3337),
        .init(feature: .variety, mean: 0.5421, deviation: 0.5100, weight: -0.0723),
        .init(feature: .covered, mean: 0.0081, deviation: 0.0367, weight: -0.7507),
        .init(feature: .parallelShare, mean: 0.8179, deviation: 0.3144, weight: 0.3386),
        .init(feature: .fields, mean: 1.5017, deviation: 1.1036, weight: 0.6580),
        .init(feature: .author, mean: 0.6798, deviation: 0.4665, weight: 0.2520),
      ]),
    fields: LogisticRegression(
      intercept: -0.4310,
      terms: [
        .init(feature: .fields, mean: 1.6050, deviation: 1.1674, weight: 1.0917),
        .init(feature: .author, mean: 0.7455, deviation: 0.4356, weight: 1.4838),
        .init(feature: .letters, mean: 4.3179, deviation: 1.2581, weight: 0.3207),
        .init(feature: .plausible, mean: 0.9727, deviation: 0.1206, weight: 0.4500),
        .init(feature: .span, mean: 0.7271, deviation: 0.2836, weight: 0.0501),
        .init(feature: .broken, mean: 0.0584, deviation: 0.2346, weight: -0.6145),
        .init(feature: .covered, mean: 0.0064, deviation: 0.0313, weight: -0.5205),
        .init(feature: .parallelShare, mean: 0.8638, deviation: 0.2625, weight: 0.2416),
        .init(feature: .digits, mean: 0.0047, deviation: 0.0244, weight: -0.2265),
        .init(feature: .words, mean: 1.7855, deviation: 0.5171, weight: 0.3141),
        .init(feature: .weakFlank, mean: 3.2424, deviation: 0.7631, weight: 0.3954),
      ]),
    leastShelf: 0.45, sure: 0.740, doubtful: 0.325)
}

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
      intercept: 0.9488,
      terms: [
        .init(feature: .letters, mean: 4.2170, deviation: 1.3708, weight: 0.5022),
        .init(feature: .leastLine, mean: 3.6816, deviation: 1.5606, weight: 0.0736),
        .init(feature: .length, mean: 3.2388, deviation: 0.7393, weight: 1.0589),
        .init(feature: .words, mean: 1.7535, deviation: 0.5315, weight: 0.4014),
        .init(feature: .plausible, mean: 0.9595, deviation: 0.1549, weight: 0.8549),
        .init(feature: .span, mean: 0.6835, deviation: 0.3180, weight: 0.1942),
        .init(feature: .broken, mean: 0.0905, deviation: 0.2869, weight: -0.5221),
        .init(feature: .longFlanks, mean: 1.8515, deviation: 0.4582, weight: 0.5260),
        .init(feature: .fill, mean: 0.7327, deviation: 0.1707, weight: 0.3762),
        .init(feature: .covered, mean: 0.0081, deviation: 0.0367, weight: -0.7793),
        .init(feature: .parallelShare, mean: 0.8179, deviation: 0.3144, weight: 0.3527),
        .init(feature: .fields, mean: 1.4727, deviation: 1.1411, weight: 0.6481),
      ]),
    fields: LogisticRegression(
      intercept: -0.4142,
      terms: [
        .init(feature: .fields, mean: 1.5563, deviation: 1.1865, weight: 1.0808),
        .init(feature: .author, mean: 0.7481, deviation: 0.4341, weight: 1.4744),
        .init(feature: .letters, mean: 4.3179, deviation: 1.2581, weight: 0.3719),
        .init(feature: .plausible, mean: 0.9727, deviation: 0.1206, weight: 0.5089),
        .init(feature: .span, mean: 0.7271, deviation: 0.2836, weight: 0.0714),
        .init(feature: .broken, mean: 0.0584, deviation: 0.2346, weight: -0.6364),
        .init(feature: .covered, mean: 0.0064, deviation: 0.0313, weight: -0.4816),
        .init(feature: .parallelShare, mean: 0.8638, deviation: 0.2625, weight: 0.2315),
        .init(feature: .lines, mean: 1.3197, deviation: 0.4274, weight: -0.0051),
        .init(feature: .digits, mean: 0.0047, deviation: 0.0244, weight: -0.2043),
        .init(feature: .words, mean: 1.7855, deviation: 0.5171, weight: 0.3051),
        .init(feature: .weakFlank, mean: 3.2424, deviation: 0.7631, weight: 0.3671),
      ]),
    leastShelf: 0.45, sure: 0.775, doubtful: 0.335)
}

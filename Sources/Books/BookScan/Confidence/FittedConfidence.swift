extension ConfidenceModel {
  /// Fitted on 2026-11-28 by `scripts/fit-confidence` to 17 photographs whose spines are known; `shelf` and `title` are of an earlier fit.
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
      intercept: 0.7775,
      terms: [
        .init(feature: .letters, mean: 4.2042, deviation: 1.4572, weight: 0.3770),
        .init(feature: .leastLine, mean: 3.6810, deviation: 1.6636, weight: 0.4870),
        .init(feature: .length, mean: 3.0650, deviation: 1.0423, weight: 1.3788),
        .init(feature: .words, mean: 1.7046, deviation: 0.5757, weight: 0.5240),
        .init(feature: .plausible, mean: 0.9056, deviation: 0.2601, weight: 0.6272),
        .init(feature: .span, mean: 0.6375, deviation: 0.3432, weight: 0.5990),
        .init(feature: .broken, mean: 0.1477, deviation: 0.3548, weight: -0.8554),
        .init(feature: .longFlanks, mean: 1.8210, deviation: 0.5131, weight: 0.3976),
        .init(feature: .fill, mean: 0.7302, deviation: 0.1720, weight: 0.3771),
        .init(feature: .variety, mean: 0.5101, deviation: 0.5158, weight: -0.2559),
        .init(feature: .covered, mean: 0.0026, deviation: 0.0252, weight: -0.8438),
        .init(feature: .parallelShare, mean: 0.8060, deviation: 0.3246, weight: 0.4358),
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
    leastShelf: 0.45, sure: .init(accurate: 0.775, fast: 0.775), doubtful: 0.310)
}

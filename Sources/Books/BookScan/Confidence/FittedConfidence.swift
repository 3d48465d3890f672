extension ConfidenceModel {
  /// Fitted on 2026-11-29 by `scripts/fit-confidence` to 17 photographs whose spines are known; `shelf` comes from an earlier fit.
  /// We may not redistribute the photographs.
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
      intercept: 0.9871,
      terms: [
        .init(feature: .letters, mean: 4.2179, deviation: 1.3647, weight: 0.4375),
        .init(feature: .leastLine, mean: 3.6860, deviation: 1.5534, weight: 0.1218),
        .init(feature: .length, mean: 3.2367, deviation: 0.7325, weight: 1.1629),
        .init(feature: .words, mean: 1.7508, deviation: 0.5261, weight: 0.2729),
        .init(feature: .plausible, mean: 0.9601, deviation: 0.1539, weight: 0.8348),
        .init(feature: .span, mean: 0.6847, deviation: 0.3167, weight: 0.2290),
        .init(feature: .broken, mean: 0.0892, deviation: 0.2851, weight: -0.5186),
        .init(feature: .longFlanks, mean: 1.8535, deviation: 0.4554, weight: 0.4590),
        .init(feature: .fill, mean: 0.7320, deviation: 0.1697, weight: 0.2062),
        .init(feature: .covered, mean: 0.0081, deviation: 0.0364, weight: -0.7501),
        .init(feature: .parallelShare, mean: 0.8200, deviation: 0.3132, weight: 0.3572),
        .init(feature: .fields, mean: 1.8136, deviation: 1.4866, weight: 0.6812),
        .init(feature: .author, mean: 0.6934, deviation: 0.4611, weight: 0.2521),
      ]),
    fields: LogisticRegression(
      intercept: -0.3659,
      terms: [
        .init(feature: .fields, mean: 1.8523, deviation: 1.4960, weight: 0.3162),
        .init(feature: .nearFields, mean: 1.3205, deviation: 1.0448, weight: 0.7128),
        .init(feature: .author, mean: 0.7455, deviation: 0.4356, weight: 1.4806),
        .init(feature: .names, mean: 0.2604, deviation: 0.3148, weight: 0.3823),
        .init(feature: .edition, mean: 0.0116, deviation: 0.1069, weight: -0.6796),
        .init(feature: .titleFrequency, mean: 0.4062, deviation: 0.2811, weight: 0.2474),
        .init(feature: .titleExcess, mean: 0.0302, deviation: 0.1640, weight: -0.4334),
        .init(feature: .letters, mean: 4.3184, deviation: 1.2561, weight: 0.2335),
        .init(feature: .plausible, mean: 0.9730, deviation: 0.1200, weight: 0.6014),
        .init(feature: .broken, mean: 0.0578, deviation: 0.2334, weight: -0.5424),
        .init(feature: .covered, mean: 0.0063, deviation: 0.0312, weight: -0.6506),
        .init(feature: .parallelShare, mean: 0.8650, deviation: 0.2617, weight: 0.3886),
        .init(feature: .weakFlank, mean: 3.2447, deviation: 0.7598, weight: 0.4974),
        .init(feature: .records, mean: 3.2091, deviation: 0.7202, weight: -0.2567),
      ]),
    leastShelf: 0.45, sure: .init(accurate: 0.660, fast: 0.640), doubtful: 0.305)
}

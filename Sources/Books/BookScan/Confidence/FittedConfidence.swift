extension ConfidenceModel {
  /// Fitted on 2026-11-28 by `scripts/fit-confidence` to 17 photographs whose spines are known; `shelf` comes from an earlier fit.
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
      intercept: 0.9635,
      terms: [
        .init(feature: .letters, mean: 4.2179, deviation: 1.3647, weight: 0.4456),
        .init(feature: .leastLine, mean: 3.6860, deviation: 1.5534, weight: 0.1689),
        .init(feature: .length, mean: 3.2367, deviation: 0.7325, weight: 1.0843),
        .init(feature: .words, mean: 1.7508, deviation: 0.5261, weight: 0.2629),
        .init(feature: .plausible, mean: 0.9601, deviation: 0.1539, weight: 0.8573),
        .init(feature: .span, mean: 0.6847, deviation: 0.3167, weight: 0.2060),
        .init(feature: .broken, mean: 0.0892, deviation: 0.2851, weight: -0.4968),
        .init(feature: .longFlanks, mean: 1.8535, deviation: 0.4554, weight: 0.4729),
        .init(feature: .fill, mean: 0.7320, deviation: 0.1697, weight: 0.2440),
        .init(feature: .variety, mean: 0.5355, deviation: 0.5063, weight: -0.0874),
        .init(feature: .covered, mean: 0.0081, deviation: 0.0364, weight: -0.7221),
        .init(feature: .parallelShare, mean: 0.8200, deviation: 0.3132, weight: 0.4075),
        .init(feature: .fields, mean: 1.8114, deviation: 1.4587, weight: 0.5654),
        .init(feature: .author, mean: 0.6773, deviation: 0.4675, weight: 0.2880),
      ]),
    fields: LogisticRegression(
      intercept: -0.4040,
      terms: [
        .init(feature: .fields, mean: 1.8372, deviation: 1.4462, weight: 0.6622),
        .init(feature: .author, mean: 0.7442, deviation: 0.4363, weight: 1.2697),
        .init(feature: .names, mean: 0.2552, deviation: 0.3158, weight: 0.4919),
        .init(feature: .edition, mean: 0.0116, deviation: 0.1069, weight: -0.7224),
        .init(feature: .titleFrequency, mean: 0.4069, deviation: 0.2810, weight: 0.4233),
        .init(feature: .titleExcess, mean: 0.0276, deviation: 0.1384, weight: -0.4466),
        .init(feature: .letters, mean: 4.3184, deviation: 1.2561, weight: 0.3573),
        .init(feature: .plausible, mean: 0.9730, deviation: 0.1200, weight: 0.6551),
        .init(feature: .broken, mean: 0.0578, deviation: 0.2334, weight: -0.5511),
        .init(feature: .parallelShare, mean: 0.8650, deviation: 0.2617, weight: 0.6775),
        .init(feature: .weakFlank, mean: 3.2447, deviation: 0.7598, weight: 0.3997),
        .init(feature: .records, mean: 3.2091, deviation: 0.7202, weight: -0.2777),
      ]),
    leastShelf: 0.45, sure: .init(accurate: 0.685, fast: 0.665), doubtful: 0.320)
}

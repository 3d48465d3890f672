extension ConfidenceModel {
  /// Fitted on 2026-11-28 by `scripts/fit-confidence` to 17 photographs whose spines are known; `shelf` and `title` come from an
  /// earlier fit. We may not redistribute the photographs.
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
      intercept: -0.4409,
      terms: [
        .init(feature: .fields, mean: 1.8372, deviation: 1.4462, weight: 0.6676),
        .init(feature: .author, mean: 0.7442, deviation: 0.4363, weight: 1.2301),
        .init(feature: .names, mean: 0.2552, deviation: 0.3158, weight: 0.5171),
        .init(feature: .edition, mean: 0.0116, deviation: 0.1069, weight: -0.7010),
        .init(feature: .titleFrequency, mean: 0.4069, deviation: 0.2810, weight: 0.3581),
        .init(feature: .titleExcess, mean: 0.0276, deviation: 0.1384, weight: -0.4636),
        .init(feature: .letters, mean: 4.3184, deviation: 1.2561, weight: 0.3474),
        .init(feature: .plausible, mean: 0.9730, deviation: 0.1200, weight: 0.6165),
        .init(feature: .span, mean: 0.7286, deviation: 0.2834, weight: 0.0463),
        .init(feature: .broken, mean: 0.0578, deviation: 0.2334, weight: -0.5429),
        .init(feature: .longFlanks, mean: 1.8997, deviation: 0.3763, weight: 0.0108),
        .init(feature: .fill, mean: 0.7463, deviation: 0.1622, weight: 0.0585),
        .init(feature: .covered, mean: 0.0063, deviation: 0.0312, weight: -0.4638),
        .init(feature: .parallelShare, mean: 0.8650, deviation: 0.2617, weight: 0.5848),
        .init(feature: .lines, mean: 1.3147, deviation: 0.4210, weight: -0.1204),
        .init(feature: .words, mean: 1.7823, deviation: 0.5132, weight: 0.1945),
        .init(feature: .weakFlank, mean: 3.2447, deviation: 0.7598, weight: 0.3460),
      ]),
    leastShelf: 0.45, sure: .init(accurate: 0.705, fast: 0.750), doubtful: 0.310)
}

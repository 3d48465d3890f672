extension ConfidenceModel {
  /// Fitted on 2026-11-25 by `scripts/fit-confidence` to 17 photographs whose spines are known; `shelf` is an earlier fit's.
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
      intercept: -0.6987,
      terms: [
        .init(feature: .fields, mean: 1.8288, deviation: 1.5617, weight: 1.2365),
        .init(feature: .author, mean: 0.7193, deviation: 0.4493, weight: 1.6675),
        .init(feature: .letters, mean: 4.3611, deviation: 1.2685, weight: 0.2685),
        .init(feature: .plausible, mean: 0.9371, deviation: 0.2109, weight: 0.2415),
        .init(feature: .span, mean: 0.7094, deviation: 0.2994, weight: 0.2406),
        .init(feature: .broken, mean: 0.0862, deviation: 0.2806, weight: -0.2277),
        .init(feature: .longFlanks, mean: 1.9073, deviation: 0.3621, weight: 0.0849),
        .init(feature: .covered, mean: 0.0055, deviation: 0.0283, weight: -0.5116),
        .init(feature: .parallelShare, mean: 0.8695, deviation: 0.2525, weight: 0.3624),
        .init(feature: .lines, mean: 1.2952, deviation: 0.4302, weight: -0.2891),
        .init(feature: .digits, mean: 0.0402, deviation: 0.1791, weight: -0.3418),
        .init(feature: .words, mean: 1.7563, deviation: 0.5384, weight: 0.5133),
        .init(feature: .length, mean: 3.1975, deviation: 0.8757, weight: 0.2742),
        .init(feature: .weakFlank, mean: 3.2602, deviation: 0.7274, weight: 0.3612),
      ]),
    leastShelf: 0.45, sure: 0.790, doubtful: 0.310)
}

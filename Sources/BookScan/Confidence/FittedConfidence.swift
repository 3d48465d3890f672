extension ConfidenceModel {
  /// Fitted on 2026-11-25 by `scripts/fit-confidence` to 17 photographs whose spines are known and 27 pictures without a shelf. The photographs are not ours to pass on.
  static let fitted = ConfidenceModel(
    shelf: LogisticRegression(
      intercept: 2.2674,
      terms: [
        .init(feature: .length, mean: 3.3589, deviation: 0.6117, weight: 1.0014),
        .init(feature: .longFlanks, mean: 1.7850, deviation: 0.5027, weight: 1.3349),
        .init(feature: .flankedShare, mean: 0.9697, deviation: 0.1358, weight: 0.7907),
        .init(feature: .parallels, mean: 2.2553, deviation: 0.9087, weight: 1.5374),
        .init(feature: .lines, mean: 1.4056, deviation: 0.4754, weight: -0.5873),
      ]),
    title: LogisticRegression(
      intercept: 0.9412,
      terms: [
        .init(feature: .letters, mean: 4.3744, deviation: 1.3773, weight: 0.8343),
        .init(feature: .length, mean: 3.1038, deviation: 1.0263, weight: 1.1605),
        .init(feature: .words, mean: 1.7136, deviation: 0.5773, weight: 0.3624),
        .init(feature: .plausible, mean: 0.9020, deviation: 0.2673, weight: 0.3944),
        .init(feature: .span, mean: 0.6523, deviation: 0.3465, weight: 0.4708),
        .init(feature: .unevenSize, mean: 0.3106, deviation: 0.2880, weight: -0.2224),
        .init(feature: .broken, mean: 0.1475, deviation: 0.3546, weight: -0.8068),
        .init(feature: .flanked, mean: 0.9816, deviation: 0.1345, weight: 0.0796),
        .init(feature: .weakFlank, mean: 3.1732, deviation: 0.8656, weight: 0.0807),
        .init(feature: .strongFlank, mean: 3.4254, deviation: 0.5379, weight: 0.1971),
        .init(feature: .longFlanks, mean: 1.8433, deviation: 0.4736, weight: 0.3294),
        .init(feature: .fragment, mean: 0.0184, deviation: 0.1345, weight: -0.5389),
        .init(feature: .covered, mean: 0.0053, deviation: 0.0316, weight: -0.9522),
        .init(feature: .parallelShare, mean: 0.8237, deviation: 0.3187, weight: 0.3243),
        .init(feature: .flankedShare, mean: 0.9913, deviation: 0.0682, weight: 0.3170),
      ]),
    leastShelf: 0.45, sure: 0.830, doubtful: 0.300)
}

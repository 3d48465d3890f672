/// The result of a metric, a scenario or a run, in one word.
public enum Verdict: String, Sendable, Codable, CaseIterable {
  /// The requirement holds.
  case pass
  /// The requirement does not hold.
  case fail
  /// Worse than the baseline by more than noise and tolerance.
  case regressed
  /// Better than the baseline by more than noise and tolerance.
  case improved
  /// A change that matters can be ruled out.
  case unchanged
  /// Measured, but a change can be neither shown nor ruled out: too few samples, or too much noise.
  case inconclusive
  /// The runs had different settings, so they were not compared.
  case incomparable
  /// The source lacks what the scenario measures.
  case unsupported
  /// Measured, but the profile has no limit for it.
  case recorded
  /// Stopped by a person before the end.
  case interrupted

  /// The verdicts by ascending severity. `worst` returns the last of those present.
  private static let severity: [Verdict] = [
    .unsupported, .recorded, .unchanged, .improved, .pass, .incomparable, .inconclusive, .regressed, .fail,
    .interrupted,
  ]

  /// Returns the most severe of the verdicts. Nil if there are none.
  public static func worst(_ verdicts: some Sequence<Verdict>) -> Verdict? {
    verdicts.max { severity.firstIndex(of: $0) ?? 0 < severity.firstIndex(of: $1) ?? 0 }
  }

  /// Whether a reader must look at the result.
  public var needsAttention: Bool {
    switch self {
    case .fail, .regressed, .inconclusive, .incomparable, .interrupted: true
    case .pass, .improved, .unchanged, .unsupported, .recorded: false
    }
  }

  /// The exit status of the process if this is the verdict on the whole run.
  public var exitStatus: ExitStatus {
    switch self {
    case .fail, .regressed: .failed
    case .inconclusive, .incomparable: .inconclusive
    case .interrupted: .interrupted
    case .pass, .improved, .unchanged, .unsupported, .recorded: .success
    }
  }
}

/// Exit status of a command.
public enum ExitStatus: Int32, Sendable, Codable {
  /// All requirements hold.
  case success = 0
  /// Failed or regressed; or a requested output could not be written, or the library could not be read.
  case failed = 1
  /// Wrong usage or bad input.
  case usage = 2
  /// Inconclusive or incomparable.
  case inconclusive = 3
  /// The camera, corpus or backend does not exist, or access to it is denied.
  case sourceUnavailable = 4
  /// Ended by ^C; the results so far were kept.
  case interrupted = 130
}

/// What was found, in one word.
public enum Verdict: String, Sendable, Codable, CaseIterable {
  /// What was asked holds.
  case pass
  /// What was asked does not hold.
  case fail
  /// Worse than the baseline by more than noise and tolerance.
  case regressed
  /// Better than the baseline by more than noise and tolerance.
  case improved
  /// A change that matters is excluded.
  case unchanged
  /// Measured, but neither shown nor excluded: too few samples, or too much noise.
  case inconclusive
  /// The runs were not made alike, so no comparison is made.
  case incomparable
  /// The source lacks what would be measured.
  case unsupported
  /// Measured; no limit in this profile asks anything of it.
  case recorded
  /// Stopped by a person before it was done.
  case interrupted

  /// From harmless to what decides the whole: `worst` takes the last.
  private static let severity: [Verdict] = [
    .unsupported, .recorded, .unchanged, .improved, .pass, .incomparable, .inconclusive, .regressed, .fail,
    .interrupted,
  ]

  /// The verdict that decides over all of them; nil for none.
  public static func worst(_ verdicts: some Sequence<Verdict>) -> Verdict? {
    verdicts.max { severity.firstIndex(of: $0) ?? 0 < severity.firstIndex(of: $1) ?? 0 }
  }

  /// True for what a reader must look at.
  public var needsAttention: Bool {
    switch self {
    case .fail, .regressed, .inconclusive, .incomparable, .interrupted: true
    case .pass, .improved, .unchanged, .unsupported, .recorded: false
    }
  }

  /// What the process should exit with when this is the verdict over everything.
  public var exitStatus: ExitStatus {
    switch self {
    case .fail, .regressed: .failed
    case .inconclusive, .incomparable: .inconclusive
    case .interrupted: .interrupted
    case .pass, .improved, .unchanged, .unsupported, .recorded: .success
    }
  }
}

/// What a command exits with.
public enum ExitStatus: Int32, Sendable, Codable {
  /// Everything that was asked holds.
  case success = 0
  /// Failed or regressed; or what was asked for could not be written, or the library could not be read.
  case failed = 1
  /// Usage or bad input.
  case usage = 2
  /// Inconclusive or incomparable.
  case inconclusive = 3
  /// The camera, corpus or backend is not there, or may not be used.
  case sourceUnavailable = 4
  /// Ended by ^C, with what was done until then.
  case interrupted = 130
}

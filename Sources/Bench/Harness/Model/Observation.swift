public import Foundation

/// What one run of a scenario saw. An observation without a single measurement or check is a failure.
public struct Observation: Sendable {
  /// What was measured; the limits of the profile judge it.
  public var metrics: [Measurement]
  /// Rules that hold or do not; one that does not fails the scenario.
  public var checks: [Check]
  /// What a person may look at; it decides nothing.
  public var evidence: [Evidence]
  /// Whole sentences for the reader.
  public var notes: [String]
  /// The command line that repeats it; nil for `ScenarioContext.reproduceCommand`.
  public var reproduce: String?

  /// What a run saw; all of it empty is a failure.
  public init(
    metrics: [Measurement] = [], checks: [Check] = [], evidence: [Evidence] = [], notes: [String] = [],
    reproduce: String? = nil
  ) {
    self.metrics = metrics
    self.checks = checks
    self.evidence = evidence
    self.notes = notes
    self.reproduce = reproduce
  }
}

/// A rule that holds or does not. It needs something to have been looked at: no subjects is a failure.
public struct Check: Hashable, Sendable, Codable {
  /// Stable and unique in its scenario.
  public var id: String
  /// The rule, as a statement that should be true.
  public var title: String
  /// Every subject obeyed, and there was at least one.
  public var passed: Bool
  /// How many frames, photos or calls were looked at.
  public var subjects: Int
  /// What was seen, with numbers: `90° was expected, 270° seen in 3 of 40 photos`.
  public var detail: String
  /// Whose rule it is; nil for that of the scenario.
  public var requirement: RequirementID?
  /// True when it failed only by a time, which a busy machine may explain; it is then checked again. nil for a rule that must hold
  /// however busy the machine is.
  public var timed: Bool?
  /// Of a rule that is a matter of time and was broken: by how much. Three measurements that agree on it are no matter of chance.
  public var missedBy: Double?

  /// - Parameter missedBy: of a rule that a busy machine may break: by how much, in a unit of its own, 0 or below where it holds. Nil for
  ///   wrong pictures, wrong states and what never came, which no machine explains.
  public init(
    id: String, title: String, passed: Bool, subjects: Int, detail: String, requirement: RequirementID? = nil,
    missedBy: Double? = nil
  ) {
    self.id = id
    self.title = title
    self.passed = passed && subjects > 0
    self.subjects = subjects
    self.detail = subjects > 0 ? detail : "nothing was looked at, so nothing was shown (\(detail))"
    self.requirement = requirement
    timed = missedBy == nil ? nil : true
    self.missedBy = self.passed ? nil : missedBy
  }
}

/// Something a person can look at to believe a verdict.
public struct Evidence: Sendable {
  /// What is shown.
  public enum Content: Sendable {
    /// The bytes of a PNG or JPEG picture.
    case image(Data, mime: String)
    /// Lines of text.
    case text(String)
    /// What happened when.
    case timeline(Timeline)
    /// What something is worth at what cost.
    case curves(Curves)
  }

  /// What is to be seen, in a few words.
  public var title: String
  /// The picture, text, timeline or curves.
  public var content: Content
  /// The metrics and checks that it shows, by what their ids begin with; nil for the scenario as a whole. A report puts a cross on the
  /// picture of one that failed.
  public var subject: String?
  /// Whether it shows what failed; nil where that follows from the verdict on `subject`.
  public var showsFailure: Bool?

  /// Evidence of any kind; the following functions make the usual ones.
  public init(title: String, content: Content) {
    self.title = title
    self.content = content
  }

  /// The same, of the metrics and checks whose ids begin with that.
  /// - Parameter failed: whether it shows what failed; nil where the verdict on them says so.
  public func of(_ subject: String, failed: Bool? = nil) -> Evidence {
    var evidence = self
    evidence.subject = subject
    evidence.showsFailure = failed
    return evidence
  }

  /// A picture, from the bytes of a PNG file.
  public static func png(_ title: String, _ bytes: Data) -> Evidence {
    Evidence(title: title, content: .image(bytes, mime: "image/png"))
  }
  /// A picture, from the bytes of a JPEG file.
  public static func jpeg(_ title: String, _ bytes: Data) -> Evidence {
    Evidence(title: title, content: .image(bytes, mime: "image/jpeg"))
  }
  /// Lines of text, which a report escapes.
  public static func text(_ title: String, _ text: String) -> Evidence {
    Evidence(title: title, content: .text(text))
  }
  /// What happened when, drawn by the report.
  public static func timeline(_ title: String, _ timeline: Timeline) -> Evidence {
    Evidence(title: title, content: .timeline(timeline))
  }
  /// What something is worth at what cost, drawn and tabled by the report.
  public static func curves(_ title: String, _ curves: Curves) -> Evidence {
    Evidence(title: title, content: .curves(curves))
  }
}

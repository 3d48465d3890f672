public import Foundation

/// The results of one run of a scenario. An observation without any measurement or check is a failure.
public struct Observation: Sendable {
  /// Measurements, which the limits of the profile judge.
  public var metrics: [Measurement]
  /// Rules with their outcomes. A broken rule fails the scenario.
  public var checks: [Check]
  /// Pictures, texts and charts for people to look at. They do not affect the verdict.
  public var evidence: [Evidence]
  /// Remarks for the reader, in whole sentences.
  public var notes: [String]
  /// The command line that repeats the run. Nil for `ScenarioContext.reproduceCommand`.
  public var reproduce: String?

  /// Creates an observation. An observation without measurements and checks is a failure.
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

/// A rule with its outcome. A rule that was checked on no subjects is a failure.
public struct Check: Hashable, Sendable, Codable {
  /// Id that is stable and unique in its scenario.
  public var id: String
  /// The rule, as a statement that should be true.
  public var title: String
  /// Whether there was at least one subject, and every subject obeyed.
  public var passed: Bool
  /// Number of frames, photos or calls that were checked.
  public var subjects: Int
  /// The findings, with numbers: `90° was expected, 270° seen in 3 of 40 photos`.
  public var detail: String
  /// The requirement that the rule belongs to. Nil for the requirements of the scenario.
  public var requirement: RequirementID?
  /// True if the rule failed only by a time, which a busy machine may explain; it is then checked again. Nil for a rule that must hold however
  /// busy the machine is.
  public var timed: Bool?
  /// The amount by which a broken rule about time was missed. If three measurements agree on the amount, the miss is not due to chance.
  public var missedBy: Double?

  /// - Parameter missedBy: for a rule that a busy machine may break: how far it was missed, in a unit of its own, 0 or below if it holds. Nil for
  ///   wrong pictures, wrong states and missing results, which a busy machine does not explain.
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

/// Evidence that a person can look at to check a verdict.
public struct Evidence: Sendable {
  /// The content of a piece of evidence.
  public enum Content: Sendable {
    /// The bytes of a PNG or JPEG picture.
    case image(Data, mime: String)
    /// Lines of text.
    case text(String)
    /// Events over time.
    case timeline(Timeline)
    /// Curves of worth over cost.
    case curves(Curves)
  }

  /// Title, a few words.
  public var title: String
  /// The picture, text, timeline or curves.
  public var content: Content
  /// The prefix of the ids of the metrics and checks that this evidence belongs to. Nil for the scenario as a whole. A report marks the
  /// picture of a failed metric or check with a cross.
  public var subject: String?
  /// Whether the evidence shows a failure. Nil if the verdict on `subject` decides.
  public var showsFailure: Bool?

  /// Creates evidence of any kind. The functions below create the usual kinds.
  public init(title: String, content: Content) {
    self.title = title
    self.content = content
  }

  /// Returns this evidence, assigned to the metrics and checks whose ids begin with `subject`.
  /// - Parameter failed: whether the evidence shows a failure; nil if the verdict on these metrics and checks decides.
  public func of(_ subject: String, failed: Bool? = nil) -> Evidence {
    var evidence = self
    evidence.subject = subject
    evidence.showsFailure = failed
    return evidence
  }

  /// Returns a picture, from the bytes of a PNG file.
  public static func png(_ title: String, _ bytes: Data) -> Evidence {
    Evidence(title: title, content: .image(bytes, mime: "image/png"))
  }
  /// Returns a picture, from the bytes of a JPEG file.
  public static func jpeg(_ title: String, _ bytes: Data) -> Evidence {
    Evidence(title: title, content: .image(bytes, mime: "image/jpeg"))
  }
  /// Returns lines of text, which a report escapes.
  public static func text(_ title: String, _ text: String) -> Evidence {
    Evidence(title: title, content: .text(text))
  }
  /// Returns events over time, drawn by the report.
  public static func timeline(_ title: String, _ timeline: Timeline) -> Evidence {
    Evidence(title: title, content: .timeline(timeline))
  }
  /// Returns curves of worth over cost, drawn by the report with a table.
  public static func curves(_ title: String, _ curves: Curves) -> Evidence {
    Evidence(title: title, content: .curves(curves))
  }
}

import Capture
import Harness
import Imagery
import Probes

/// INT-5: the notice to the user for each interruption.
struct Notices: Scenario {
  let id = "recovery.notices"
  let suite = Suite.recovery
  let title = "What the user is told"
  let purpose =
    "A user without a message unplugs a camera that is only busy; a user who gets obvious messages stops "
    + "reading them."
  let exampleFailure =
    "A viewfinder that says \"the camera is interrupted\" whenever the user leaves its window."
  let requirements: [RequirementID] = ["INT-5"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  /// The expected notice for each reason, defined here independently: its severity, and a word for the cause or the remedy.
  private static let expected: [InterruptionReason: (InterruptionReason.Severity, word: String)] = [
    .deviceInUse: (.notice, "another program"), .deviceDisconnected: (.warning, "plug it in"),
    .streamStalled: (.warning, "deliver"), .deviceReset: (.warning, "failed"),
    .signalLost: (.notice, "no signal"), .other: (.notice, "interrupted"),
  ]

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let wrong: [(InterruptionReason.Severity, String)] = [
      (.silent, "Another program has it."), (.notice, ""), (.notice, "EBUSY: another program"),
      (.notice, "It is away."), (.warning, "Another program has it."),
    ]
    for (severity, message) in wrong where Self.mistake(.deviceInUse, severity, message: message) == nil {
      return .failed("\(severity.rawValue) \"\(message)\" was accepted as an interruption by another program")
    }
    guard Self.mistake(.background, .notice, message: "") != nil,
      Self.mistake(.background, .silent, message: "Hello.") != nil
    else { return .failed("a text about the background was accepted as silence") }
    return .passed("five wrong texts about another program were noticed, and two about the background")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var checks: [Check] = []
    for reason in InterruptionReason.allCases {
      let states =
        try await reason == .background ? NoticePlay.background(rig) : NoticePlay.interrupted(rig, by: reason)
      let (severity, message) = (reason.severity, reason.message)
      let mistake =
        Self.mistake(reason, severity, message: message) ?? Self.mistake(reason, published: states)
      checks.append(
        Check(
          id: "recovery.notices.\(reason.rawValue)",
          title: reason == .background
            ? "The background is silent" : "The user gets a message about \(reason.rawValue)",
          passed: mistake == nil, subjects: states.count,
          detail: mistake ?? "\(severity.rawValue): \(message.isEmpty ? "nothing is said" : message)",
          requirement: "INT-5"))
    }
    return Observation(checks: checks, notes: ["Virtual time."])
  }

  /// Returns the mistake in the notice of a reason. Nil if there is none.
  static func mistake(
    _ reason: InterruptionReason, _ severity: InterruptionReason.Severity, message: String
  ) -> String? {
    if reason == .background {
      return severity == .silent && message.isEmpty
        ? nil : "it is reported, as \(severity.rawValue): \(message)"
    }
    if severity == .silent || message.isEmpty { return "it is not reported" }
    let hasCode = message.split(whereSeparator: { !$0.isLetter }).contains {
      $0.count > 3 && $0.allSatisfy(\.isUppercase)
    }
    guard message.hasSuffix("."), message.count <= 120, !hasCode else {
      return "\(message) is no plain sentence"
    }
    guard let (grave, word) = expected[reason] else { return nil }
    if severity != grave { return "it is a \(severity.rawValue), and should be a \(grave.rawValue)" }
    return message.lowercased().contains(word) ? nil : "\(message) does not say \(word)"
  }

  /// Returns the mistake in the published states. Nil if there is none.
  static func mistake(_ reason: InterruptionReason, published states: [SessionState]) -> String? {
    let interruptions = states.filter { if case .interrupted = $0 { true } else { false } }
    let told = states.map(\.description).joined(separator: " → ")
    if reason == .background {
      return interruptions.isEmpty && states.contains(.paused(.background)) ? nil : "published were \(told)"
    }
    return interruptions == [.interrupted(reason)] ? nil : "published were \(told)"
  }
}

import Testing

@testable import Capture

/// The notices about interruptions (INT-5).
@Suite struct NoticeTests {
  @Test(
    arguments: [
      (.background, .silent), (.deviceInUse, .notice), (.deviceDisconnected, .warning),
      (.streamStalled, .warning),
      (.deviceReset, .warning), (.signalLost, .notice), (.other, .notice),
    ] as [(InterruptionReason, InterruptionReason.Severity)])
  func everyReasonHasItsSeverityAndMessage(reason: InterruptionReason, severity: InterruptionReason.Severity)
  {
    #expect(reason.severity == severity)
    #expect(
      reason.message.isEmpty == (severity == .silent), "what is silent says nothing, all else is one sentence"
    )
    #expect(reason.message.isEmpty || reason.message.hasSuffix("."))
  }

  @Test func theTableIsWhole() {
    #expect(InterruptionReason.allCases.count == 7)
    #expect(InterruptionReason(rawValue: "one of a later version").severity == .notice)
  }
}

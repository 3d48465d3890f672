import Glibc
import Harness
import Probes
import Video4Linux

/// HAR-6: the findings of the kernel developers' own tool. They do not decide by themselves, but a profile may limit their number.
struct ComplianceRule: QualificationRule {
  let id = "qualify.compliance"
  let suite = Suite.compliance
  let title = "Findings of v4l2-compliance"
  let purpose =
    "A second opinion, by the tool that drivers must pass to be accepted into Linux; known mistakes of the tool are marked."
  let exampleFailure =
    "A driver that forgets to fill in a field of VIDIOC_ENUM_FRAMESIZES: this engine works all the same, another may not."
  let requirements: [RequirementID] = ["HAR-6"]
  let camera: QualifiedCamera
  /// Whether a fault is injected. The tool uses the real kernel, so it would not see the fault.
  let isLying: Bool

  private static let tool = "v4l2-compliance"
  /// Time limit for the tool, in seconds.
  private static let limit = 45

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let output = ComplianceOutput(
      """
      v4l2-compliance 1.22.1, 64 bits, 64-bit time_t
      \ttest VIDIOC_QUERYCAP: OK
      \t\tfail: v4l2-test-formats.cpp(34): wrong\u{1B}[2J
      \ttest VIDIOC_ENUM_FMT: FAIL
      """)
    guard output.tests == 2, output.version == "1.22.1",
      output.findings == [
        .init(grade: .fail, test: "VIDIOC_ENUM_FMT", messages: ["v4l2-test-formats.cpp(34): wrong [2J"])
      ]
    else { return .failed("a failed test was not read: \(output.findings)") }
    return .passed(
      "of a test that passed and one that failed the second was read, without its control characters")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    if isLying {
      throw Unsupported(
        "a fault is injected into the engine's calls, and \(Self.tool) makes its own; run it without --fault")
    }
    let outcome = try child()
    let output = ComplianceOutput(outcome.output)
    guard output.tests > 0 else {
      throw Unsupported(
        "\(Self.tool) gave no output that can be read (it ended with status \(outcome.status)); "
          + "see `\(Self.tool) -d \(camera.path)`")
    }
    return try Self.judge(output, driver: camera.capabilities.driver, status: outcome.status)
  }

  private func child() throws -> ChildProgram.Outcome {
    let arguments = ["-k", "2", "\(Self.limit)", Self.tool, "-C", "never", "-d", camera.path]
    let outcome = try ChildProgram(executable: "timeout", arguments: arguments, showsErrors: false).run()
    if outcome.status == 127 {
      throw Unsupported("\(Self.tool) is not installed; install it with `apt-get install v4l-utils`")
    }
    return outcome
  }

  /// - Parameter status: the exit status of the tool, under `timeout`. A test in which the tool was ended or crashed has failed.
  static func judge(_ output: ComplianceOutput, driver: String, status: Int32 = 0) throws -> Observation {
    let known = try KnownFindings.load()
    let sorted = output.findings.map { finding in
      (finding: finding, reason: known.reason(for: finding, driver: driver, version: output.version))
    }
    func measurement(_ id: String, _ title: String, count: Int) -> Measurement {
      Measurement(
        id: "qualify.compliance.\(id)", title: title, unit: .count, level: .buffer, samples: [Double(count)])
    }
    let failures = sorted.filter { $0.finding.grade == .fail }
    let cut = cut(status).map {
      "\($0), so its later tests are missing; the one under way counts as failed."
    }
    var notes = ["\(tool) \(output.version): \(output.tests) tests, \(failures.count) failed."]
    notes += sorted.compactMap { item in item.reason.map { "Known: \(item.finding.test): \($0)" } }
    if let cut { notes.append(cut) }
    return Observation(
      metrics: [
        measurement(
          "failed", "Tests that failed and are not known to be wrong",
          count: failures.count { $0.reason == nil } + (cut == nil ? 0 : 1)),
        measurement(
          "known", "Tests that failed by a known fault of tool or driver",
          count: failures.count { $0.reason != nil }
        ),
        measurement(
          "warnings", "Tests with warnings that are not known",
          count: sorted.count { $0.finding.grade == .warn && $0.reason == nil }),
        measurement("tests", "The number of its tests", count: output.tests),
      ],
      evidence: sorted.isEmpty ? [] : [.text("The findings", Self.table(sorted))], notes: notes)
  }

  /// Returns why the tool did not come to its end, as the beginning of a sentence. Nil if it did: its own statuses are small, or 255.
  private static func cut(_ status: Int32) -> String? {
    switch status {
    case 124, 128 + SIGKILL: "It was ended after \(limit) s"
    case 128 + SIGILL, 128 + SIGABRT, 128 + SIGBUS, 128 + SIGFPE, 128 + SIGSEGV:
      "It crashed (status \(status))"
    default: nil
    }
  }

  private static func table(_ sorted: [(finding: ComplianceOutput.Finding, reason: String?)]) -> String {
    sorted.map { finding, reason in
      let head = "\(finding.grade.rawValue) \(finding.test)\(reason == nil ? "" : " (known)")"
      return
        ([head] + finding.messages.prefix(6).map { "  \($0)" } + (reason.map { ["  known: \($0)"] } ?? []))
        .joined(separator: "\n")
    }.joined(separator: "\n")
  }
}

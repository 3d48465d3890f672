import EngineScenarios
import Harness
import Probes
import ScriptedKernel
import Testing
import Video4Linux

@testable import Qualification

/// The rules on a scripted camera with its own clock: a correct camera passes, and each fault fails its own rule and no other.
@Suite struct QualificationTests {
  /// The rules that use only the device. The other rules run a session in real time, and are tested in the lab.
  private static let scripted: Set<String> = [
    "qualify.identity", "qualify.formats", "qualify.controls", "qualify.pace", "qualify.stamps",
    "qualify.sharing",
    "qualify.restored",
  ]
  private static let environment = RunEnvironment.current()

  private func failures(_ fault: DeviceFault?) async throws -> [String: String] {
    let trial = try Qualification(
      device: "/dev/video0", kernel: try PaintedCamera.kernel(), duration: .full, fault: fault,
      scenarios: ScenarioCatalogue.onCamera)
    let rules = (trial.rules + [trial.restoration]).filter { Self.scripted.contains($0.id) }
    let runner = Runner(
      profile: try Profile.load("strict"), tool: Report.Tool(version: "0", commit: "0", build: "debug"),
      environment: Self.environment)
    let report = try await runner.run(rules, context: ScenarioContext(source: trial.source))
    #expect(report.scenarios.count == Self.scripted.count)
    let bad = report.scenarios.filter { $0.verdict != .pass }
    return Dictionary(uniqueKeysWithValues: bad.map { ($0.id, $0.reason) })
  }

  @Test func aHealthyCameraPasses() async throws {
    let failures = try await failures(nil)
    #expect(failures.isEmpty, "\(failures)")
  }

  @Test(arguments: DeviceFault.allCases.filter { scripted.contains($0.rule) })
  func aFaultFailsItsRuleAndNoOther(_ fault: DeviceFault) async throws {
    let failures = try await failures(fault)
    #expect(Array(failures.keys) == [fault.rule], "\(failures)")
  }

  private func camera(_ fault: DeviceFault?) throws -> QualifiedCamera {
    let honest = try PaintedCamera.kernel()
    let device = try VideoDevice(path: "/dev/video0", kernel: honest)
    defer { device.close() }
    let plan = try CameraPlan(CameraClaims(of: device), duration: .full)
    let controls = try device.controls()
    return QualifiedCamera(
      specification: "/dev/video0",
      kernel: try fault?.kernel(around: honest, plan: plan, controls: controls) ?? honest, plan: plan,
      capabilities: device.capabilities, tracker: nil)
  }

  @Test func aSlowStartIsTimed() async throws {
    for (fault, range) in [(nil, 0.0..<100.0), (DeviceFault.slowStart, 2000.0..<2100.0)] {
      let survey = try await ModeSurvey(camera: camera(fault), frameCount: 14).survey(for: "test")
      let device = try #require(try StartRule.stages(survey).first { $0.id == "qualify.start.device" })
      #expect(range.contains(try #require(device.samples.max())))
    }
  }

  @Test func aStreamThatNeedsARestIsSeenOnlyWithoutOne() throws {
    let camera = try camera(.slowReturn)
    func start() throws -> Double {
      try #require(
        try ModeTrial(camera: camera, mode: camera.plan.light, frameCount: 1, pictureCount: 0).run().stages
          .firstBuffer)
    }
    #expect(try start() < 100)
    #expect(try start() >= 700)
  }

  @Test func aModeThatIsMirroredIsFound() async throws {
    let healthy = UprightRule.agreement(
      try await ModeSurvey(camera: camera(nil), frameCount: 14).survey(for: "test"))
    #expect(healthy.map(\.passed) == [true])
    let mirrored = UprightRule.agreement(
      try await ModeSurvey(camera: camera(.mirroredMode), frameCount: 14).survey(for: "test"))
    #expect(mirrored.map(\.passed) == [false])
    #expect(mirrored.first?.detail.contains("YUYV 240×136 is mirrored 0°") == true)
  }

  @Test func everyRuleProvesItsProbe() async throws {
    let trial = try Qualification(
      device: "/dev/video0", kernel: try PaintedCamera.kernel(), duration: .short, fault: nil,
      scenarios: ScenarioCatalogue.onCamera)
    for rule in trial.rules + [trial.restoration] where rule.id.hasPrefix("qualify.") {
      let outcome = try await rule.selfTest(ScenarioContext(source: trial.source))
      guard case .passed = outcome else {
        Issue.record("\(rule.id): \(outcome)")
        continue
      }
      #expect(!rule.purpose.isEmpty && !rule.exampleFailure.isEmpty && !rule.requirements.isEmpty)
    }
  }

  @Test func everyFaultAndEveryLimitIsOfARuleThatIsThere() throws {
    let trial = try Qualification(
      device: "/dev/video0", kernel: try PaintedCamera.kernel(), duration: .short, fault: nil,
      scenarios: ScenarioCatalogue.onCamera)
    let ids = Set((trial.rules + [trial.restoration]).map(\.id))
    for fault in DeviceFault.allCases { #expect(ids.contains(fault.rule)) }
    for name in Profile.builtInNames {
      for limit in try Profile.load(name).limits where limit.metric.hasPrefix("qualify.") {
        if let scenario = limit.scenario { #expect(ids.contains(scenario)) }
      }
    }
  }

  @Test func aFaultWithNothingToShowItOnIsRefused() throws {
    let scripted = ScriptedKernel { $0.modes = [ScriptedMode(.yuyv, 320, 180, [50])] }
    #expect(throws: Unsupported.self) {
      try Qualification(
        device: "/dev/video0", kernel: scripted, duration: .short, fault: .corruptJPEG,
        scenarios: ScenarioCatalogue.onCamera)
    }
  }
}

import ArgumentParser
import Console
import EngineScenarios
import Harness
import Probes
import Qualification
import System

/// A run of `qualify` with checked options, and with its rules and profile.
struct QualifyRun: Sendable {
  let folder: RunFolder
  private let qualification: Qualification
  private let rules: [any Scenario]
  private let runner: Runner
  private let context: ScenarioContext

  init(_ options: Qualify, device: String) throws {
    let profile = try Profile.load(options.profile)
    let duration = options.duration.ofRun
    do {
      qualification = try Qualification(
        device: device, duration: duration, fault: options.fault.flatMap { DeviceFault(rawValue: $0) },
        scenarios: ScenarioCatalogue.onCamera)
    } catch let error as QualificationError {
      if case .notACamera = error { throw Failure("\(error)", .usage) }
      throw Failure("\(error)", .sourceUnavailable)
    } catch let error as Unsupported {
      throw Failure("cannot qualify \(device): \(error)", .usage)
    }
    rules = try Self.choose(from: qualification.rules, options.scenario)
    folder = try RunFolder(options.out, madeOf: [options.profile])
    var runner = Runner(
      profile: profile, tool: ToolVersion.tool, reportFile: ReportFile(directory: folder.path),
      timeout: duration.timeout)
    runner.fault = options.fault
    runner.handover = try options.report.handover
    runner.checkout = ReportOptions.checkout
    let names = options.scenario.map { "--scenario \($0)" }
    runner.selection = names.isEmpty ? nil : names.joined(separator: " ")
    self.runner = runner
    context = ScenarioContext(
      source: qualification.source, duration: duration, scratchDirectory: folder.path,
      command: Self.command(options, device))
  }

  /// Performs the rules, until ^C. Then restores the camera in any case; the result of that is the last rule of the report.
  func perform() async throws -> Report {
    let outcome = await Result.catching {
      try await Interrupts.cancelling(telling: Bench.notice) { try await judge(rules) }
    }
    // A separate task is not affected by the cancellation of the rules.
    let end = try await Task { try await judge([qualification.restoration], apart: true) }.value
    var report = try outcome.get()
    report.scenarios += end.scenarios
    report.conclude()
    return report
  }

  private func judge(_ scenarios: [any Scenario], apart: Bool = false) async throws -> Report {
    var runner = runner
    // Keeps the report of the rules on disk until the complete report replaces it.
    if apart { runner.reportFile = nil }
    return try await runner.run(scenarios, context: context) { BenchProgress.show($0) }
  }

  /// Returns the rules for `--list`: the requested rules, or all.
  static func list(_ options: Qualify) throws -> ScenarioList {
    ScenarioList(
      try choose(from: Qualification.listed(with: ScenarioCatalogue.onCamera), options.scenario),
      profile: try Profile.load(options.profile))
  }

  /// Returns the requested rules, or all. Restoring the camera is not among them, because it is always done.
  private static func choose(from all: [any Scenario], _ wanted: [String]) throws -> [any Scenario] {
    for id in wanted where !all.contains(where: { $0.id == id }) {
      throw ValidationError("there is no rule \(id); there are \(all.map(\.id).joined(separator: ", "))")
    }
    return wanted.isEmpty ? all : all.filter { wanted.contains($0.id) }
  }

  private static func command(_ options: Qualify, _ device: String) -> String {
    var words = ["swiftwing qualify", ShellCommand.option("--device", device)]
    if options.profile != "seed" { words.append(ShellCommand.option("--profile", options.profile)) }
    if options.duration != .short { words.append("--duration \(options.duration.rawValue)") }
    if let fault = options.fault { words.append(ShellCommand.option("--fault", fault)) }
    return words.joined(separator: " ")
  }
}

import ArgumentParser
import Capture
import Foundation
import Harness
import Scenarios

/// A bench that was asked for, made ready.
struct BenchRun: Sendable {
  let directory: String
  private let scenarios: [any Scenario]
  private let runner: Runner
  private let context: ScenarioContext

  init(_ options: Bench) throws {
    let rig = try Self.rig(options)
    let chosen = try Self.choose(from: Catalogue.scenarios(rig), options)
    let shard = try options.shard.map { text in
      guard let shard = Shard(text) else {
        throw ValidationError("--shard \(text) is not K/N with 1 ≤ K ≤ N")
      }
      return shard
    }
    scenarios = shard?.select(from: chosen) ?? chosen
    directory = options.out ?? "reports/\(Self.stamp())"
    runner = Runner(
      profile: try Profile.load(options.profile), tool: ToolVersion.tool,
      reportFile: ReportFile(directory: directory),
      baseline: try options.baseline.map { try ReportFile.load(path: $0) },
      timeout: options.duration.timeout)
    context = ScenarioContext(
      source: try SourceIdentity(rig: rig, scenarios: chosen).description, duration: options.duration,
      scratchDirectory: directory, command: Self.command(options))
  }

  func perform() async throws -> Report {
    try await runner.run(scenarios, context: context) { BenchProgress.show($0) }
  }

  /// Writes every rendering of the report beside it.
  func publish(_ report: Report) throws { try ReportBundle(directory: directory).write(report) }

  private static func rig(_ options: Bench) throws -> Rig {
    var fault: InjectedFault?
    if let name = options.fault {
      fault = InjectedFault(name: name)
      if fault == nil {
        throw ValidationError(
          "there is no fault \(name); there are \(InjectedFault.names.joined(separator: ", "))")
      }
    }
    let folder = CorpusRoots.executableFolder() ?? "."
    return Rig(specification: options.source, fault: fault, viewfinder: "\(folder)/swiftwing")
  }

  private static func choose(from all: [any Scenario], _ options: Bench) throws -> [any Scenario] {
    for name in options.suite where !all.contains(where: { $0.suite.id == name }) {
      throw ValidationError(
        "there is no suite \(name); there are \(Suite.all.map(\.id).joined(separator: ", "))")
    }
    for id in options.scenario where !all.contains(where: { $0.id == id }) {
      throw ValidationError("there is no scenario \(id); there are \(all.map(\.id).joined(separator: ", "))")
    }
    guard !options.suite.isEmpty || !options.scenario.isEmpty else {
      return all.filter { Suite.ordinary.contains($0.suite) }
    }
    return all.filter { options.suite.contains($0.suite.id) || options.scenario.contains($0.id) }
  }

  static func stamp() -> String {
    Date.now.formatted(.iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
  }

  private static func command(_ options: Bench) -> String {
    var words = ["swiftwing bench"]
    if let source = options.source { words.append("--source '\(source)'") }
    if options.profile != "seed" { words.append("--profile \(options.profile)") }
    if options.duration != .short { words.append("--duration \(options.duration.rawValue)") }
    if let fault = options.fault { words.append("--fault \(fault)") }
    return words.joined(separator: " ")
  }
}

extension RunDuration {
  /// Longest one scenario may take.
  var timeout: Duration {
    switch self {
    case .short: .seconds(90)
    case .full: .seconds(300)
    case .soak: .seconds(3600)
    }
  }
}

import ArgumentParser
import Corpora
import Counting
import DeviceScenarios
import EngineScenarios
import Harness
import Probes
import System

/// A run of `bench` with checked options, and with its scenarios and profile.
struct BenchRun: Sendable {
  let folder: RunFolder
  private let scenarios: [any Scenario]
  private let runner: Runner
  private let context: ScenarioContext

  init(_ options: Bench) throws {
    let profile = try Profile.load(options.profile)
    let baseline = options.baseline.isEmpty ? nil : try Self.baseline(options)
    let rig = try Self.rig(options)
    let chosen = try Self.choose(from: Self.scenarios(rig), options)
    let shard = try options.shard.map { try Self.shard($0, of: chosen.count) }
    scenarios = shard?.select(from: chosen) ?? chosen
    let source = try SourceIdentity(rig: rig, scenarios: chosen).description
    folder = try RunFolder(options.out, madeOf: options.baseline + [options.profile])
    var runner = Runner(
      profile: profile, tool: ToolVersion.tool, reportFile: ReportFile(directory: folder.path),
      baseline: baseline, timeout: options.duration.timeout)
    runner.fault = options.fault
    runner.shard = shard
    runner.planned = chosen
    runner.handover = try options.report.handover
    runner.checkout = ReportOptions.checkout
    runner.selection = Self.selection(options)
    self.runner = runner
    context = ScenarioContext(
      source: source, duration: options.duration, scratchDirectory: folder.path,
      command: Self.command(options))
  }

  /// Refuses an output folder in which the new report would overwrite the baseline.
  private static func baseline(_ options: Bench) throws -> Baseline {
    for path in try options.baseline.flatMap({ path in try Baseline.files(path) }) {
      guard let folder = options.out, ReportFolder.wouldOverwrite(path, in: folder) else { continue }
      throw Failure("--out \(folder) would overwrite the baseline \(path); choose another folder", .usage)
    }
    return try Baseline.load(options.baseline)
  }

  func perform() async throws -> Report {
    ReportBundle(directory: folder.path).removeRenderings()
    return try await runner.run(scenarios, context: context) { BenchProgress.show($0) }
  }

  static func rig(_ options: Bench) throws -> Rig {
    var fault: InjectedFault?
    if let name = options.fault {
      fault = InjectedFault(name: name)
      if fault == nil {
        throw ValidationError(
          "there is no fault \(name); there are \(InjectedFault.names.joined(separator: ", "))")
      }
    }
    let folder = CorpusRoots.executableFolder() ?? "."
    var rig = Rig(specification: options.source, fault: fault, viewfinder: "\(folder)/swiftwing")
    for price in options.tokenPrice {
      if !price.profile.isEmpty { _ = try TokenProfiles.named(price.profile) }
      rig.tokenPrices[price.profile] = price.value
    }
    return rig
  }

  static func scenarios(_ rig: Rig) -> [any Scenario] {
    ScenarioCatalogue.engine(rig) + ScenarioCatalogue.devices(rig) + CountedWorkload.all(rig: rig)
  }

  /// Returns the scenarios for `--list`: the requested scenarios, or all.
  static func list(_ options: Bench) throws -> ScenarioList {
    let all = scenarios(try rig(options))
    let isChosen = !options.suite.isEmpty || !options.scenario.isEmpty
    return ScenarioList(
      isChosen ? try choose(from: all, options) : all, profile: try Profile.load(options.profile))
  }

  static func choose(from all: [any Scenario], _ options: Bench) throws -> [any Scenario] {
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

  private static func shard(_ text: String, of count: Int) throws -> Shard {
    guard let shard = Shard(text) else {
      throw ValidationError("--shard \(text) is not K/N with 1 ≤ K ≤ N")
    }
    guard shard.count <= count else {
      throw ValidationError(
        "--shard \(text) may have nothing to run, because \(count == 1 ? "one scenario is" : "\(count) scenarios are") chosen; use at most \(count) parts"
      )
    }
    return shard
  }

  static func selection(_ options: Bench) -> String? {
    let words = options.suite.map { "--suite \($0)" } + options.scenario.map { "--scenario \($0)" }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// Returns the options that the figures depend on, quoted for a shell.
  static func measured(_ options: Bench) -> [String] {
    var words: [String] = []
    if let source = options.source { words.append(ShellCommand.option("--source", source)) }
    if options.profile != "seed" { words.append(ShellCommand.option("--profile", options.profile)) }
    if options.duration != .short { words.append("--duration \(options.duration.rawValue)") }
    if let fault = options.fault { words.append(ShellCommand.option("--fault", fault)) }
    words += options.tokenPrice.map { price in
      ShellCommand.option(
        "--token-price", (price.profile.isEmpty ? "" : "\(price.profile)=") + "\(price.value)")
    }
    return words
  }

  private static func command(_ options: Bench) -> String {
    (["swiftwing bench"] + measured(options)).joined(separator: " ")
  }
}

extension RunDuration {
  /// The time limit of one scenario.
  var timeout: Duration {
    switch self {
    case .turn, .short: .seconds(90)
    case .full: .seconds(300)
    case .soak: .seconds(3600)
    }
  }
}

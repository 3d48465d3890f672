import ArgumentParser
import Builds
import Console
import Counting
import Foundation
import Harness
import System

/// A run of `bench --against` with checked options, and with both builds.
struct AgainstRun: Sendable {
  let folder: RunFolder
  private let options: Bench
  private let base: OtherBuild
  private let own: OtherBuild

  init(_ options: Bench) throws {
    guard options.baseline.isEmpty, options.shard == nil else {
      throw ValidationError(
        "--against cannot be combined with --baseline or --shard, because it takes turns with another build")
    }
    self.options = options
    // Errors in the options are reported before anything runs.
    _ = try Profile.load(options.profile)
    _ = try BenchRun.choose(from: BenchRun.scenarios(try BenchRun.rig(options)), options)
    base = try OtherBuild(options.against ?? "")
    own = try OtherBuild.own()
    folder = try RunFolder(options.out, madeOf: [options.profile])
  }

  func perform() async throws -> Report {
    let directory = folder.path
    ReportBundle(directory: directory).removeRenderings()
    let duration = try await self.duration()
    let scenarios = try await self.scenarios(duration)
    let atOnce = try await self.atOnce(duration)
    let start = ContinuousClock.now
    let turns = "\(directory)/turns"
    defer { try? FileManager.default.removeItem(atPath: turns) }
    let comparison = InterleavedComparison(
      scenarios: scenarios, limit: (options.limit ?? TimeSpan.usual)?.duration ?? .seconds(300),
      longestTurn: isWhole ? .seconds(5) : nil, now: { ContinuousClock.now - start },
      run: { side, scenario in
        let turn = turn(side, scenario, duration: duration, in: turns)
        return try await turn.build.turn(turn.options, folder: turn.folder)
      }, atOnce: atOnce,
      runBoth: { scenario in
        let both = InterleavedComparison.Side.allCases.map {
          turn($0, scenario, duration: duration, in: turns)
        }
        return try await SlicedTurns(turns: both).run().map { (base: $0[0], new: $0[1]) }
      },
      sideBySide: Set(BenchRun.scenarios(try BenchRun.rig(options)).filter { $0.suite == .counted }.map(\.id))
    )
    let file = ReportFile(directory: directory)
    let report = try await comparison.compare(onProgress: AgainstProgress.show) { try file.write(whole($0)) }
    guard let report else { throw CancellationError() }
    return whole(report)
  }

  private func turn(
    _ side: InterleavedComparison.Side, _ scenario: String, duration: RunDuration, in folder: String
  ) -> SlicedTurns.Turn {
    let fault = side == .new ? options.fault.map { ["--fault", $0] } ?? [] : []
    return SlicedTurns.Turn(
      side == .new ? own : base, ["--scenario", scenario] + fault + words(duration),
      folder: "\(folder)/\(scenario)-\(side.rawValue)")
  }

  /// Returns the scenarios that both builds declare as timed by processor time.
  private func atOnce(_ duration: RunDuration) async throws -> Set<String> {
    let ours = BenchRun.scenarios(try BenchRun.rig(options)).filter(\.isTimedByProcessor).map(\.id)
    let theirs = try await base.scenarios(words(duration))?.scenarios ?? []
    return Set(ours).intersection(theirs.filter { $0.isTimedByProcessor == true }.map(\.id))
  }

  /// Whether neither a suite nor a scenario was named.
  private var isWhole: Bool { options.suite.isEmpty && options.scenario.isEmpty }

  /// Returns the options that both builds get.
  private func words(_ duration: RunDuration) -> [String] {
    ["--duration", duration.rawValue, "--profile", options.profile]
      + (options.source.map { ["--source", $0] } ?? [])
  }

  /// Returns the duration class of the turns: the requested one unless it is `short`; otherwise `turn`, or `short` if the other build does
  /// not know `turn`.
  private func duration() async throws -> RunDuration {
    if options.duration != .short { return options.duration }
    if try await base.scenarios(words(.turn)) != nil { return .turn }
    guard try await base.scenarios(words(.short)) != nil else {
      throw Failure(
        "cannot take turns with \(base.name): it refuses `bench --list \(words(.short).joined(separator: " "))`; "
          + "give a build that knows these options", .usage)
    }
    Terminal.tell(
      "note: \(base.name) has no `--duration turn`, so each turn takes as long as `--duration short`")
    return .short
  }

  /// The suites that take turns if none is named. Their turns are short, so that five minutes contain enough of them.
  private static let usual: [Suite] = [.coldStart, .latency, .rotation, .photo]

  /// Returns the ids of the named scenarios. If none is named, returns all scenarios that count instructions, and the usual timed scenarios
  /// whose work is not counted; if nothing can be counted, only the usual timed scenarios.
  private func chosen() throws -> [String] {
    let all = BenchRun.scenarios(try BenchRun.rig(options))
    let chosen = try BenchRun.choose(from: all, options)
    guard isWhole else { return chosen.map(\.id) }
    let timed = chosen.filter { Self.usual.contains($0.suite) }.map(\.id)
    guard CountedWorkload.isPossible, options.source == nil else { return timed }
    return all.filter { $0.suite == .counted }.map(\.id)
      + timed.filter { !CountedWorkload.timedElsewhere.contains($0) }
  }

  /// Returns the chosen scenarios that both builds have.
  private func scenarios(_ duration: RunDuration) async throws -> [String] {
    let chosen = try chosen()
    let all = try await base.scenarios(words(duration))?.scenarios ?? []
    let theirs = Set(all.map(\.id))
    let lacking = chosen.filter { !theirs.contains($0) }
    if !lacking.isEmpty {
      Terminal.tell("note: not in \(base.name) and not compared: \(lacking.joined(separator: ", "))")
    }
    let ours = Set(BenchRun.scenarios(try BenchRun.rig(options)).map(\.id))
    let gone = all.filter { row in
      (isWhole ? row.isOrdinary : options.suite.contains(row.suite.id)) && !ours.contains(row.id)
    }.map(\.id)
    guard gone.isEmpty else {
      throw Failure(
        "cannot compare with \(base.name): it has \(gone.joined(separator: ", ")), which this build has not; "
          + "name what to compare with --scenario", .inconclusive)
    }
    let both = chosen.filter(theirs.contains)
    guard !both.isEmpty else {
      throw Failure(
        "cannot take turns with \(base.name): it has none of the requested scenarios; "
          + "name others with --scenario", .usage)
    }
    return both
  }

  /// Returns the report with this command's selection and command lines in place of those of the turns.
  private func whole(_ report: Report) -> Report {
    var report = report
    report.selection = BenchRun.selection(options)
    let words = ["swiftwing bench", ShellCommand.option("--against", base.name)] + BenchRun.measured(options)
    let command = words.joined(separator: " ")
    for index in report.scenarios.indices {
      report.scenarios[index].reproduce = "\(command) --scenario \(report.scenarios[index].id)"
    }
    return report
  }
}

/// Prints the progress while the builds take turns.
enum AgainstProgress {
  static func show(_ progress: InterleavedComparison.Progress) {
    Terminal.progress(
      "\(progress.decided) of \(progress.total) scenarios decided; \(progress.scenario), pair \(progress.pair) …"
    )
  }
}

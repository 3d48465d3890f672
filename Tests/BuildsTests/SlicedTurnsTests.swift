import Foundation
import Harness
import RecordedTurns
import System
import Testing

@testable import Builds

/// Builds that run at the same time, in time slices.
@Suite struct SlicedTurnsTests {
  /// Returns a build that copies `report` to the folder of its option `--out`. If `report` is nil, the build exits with status 9.
  private func build(_ folder: TemporaryFolder, _ name: String, report: String?) throws -> OtherBuild {
    let path = "\(folder.path)/\(name)"
    let copy = report.map { "cp '\($0)' \"$2/report.json\"" } ?? "echo lost >&2; exit 9"
    try OutputFile(path: path).write("#!/bin/sh\nwhile [ \"$1\" != --out ]; do shift; done\n\(copy)\n")
    chmod(path, 0o755)
    return try OtherBuild(path)
  }

  @Test func eachLeavesItsReport() async throws {
    let folder = try TemporaryFolder()
    var turns: [SlicedTurns.Turn] = []
    for (name, ratio) in [("base", 1.0), ("new", 1.2)] {
      let report = "\(folder.path)/\(name).json"
      try await RecordedTurn.write(ratio, to: report)
      turns.append(
        SlicedTurns.Turn(
          try build(folder, name, report: report), ["--scenario", "a"], folder: "\(folder.path)/out-\(name)"))
    }
    let reports = try #require(try await SlicedTurns(turns: turns).run())
    #expect(reports.map { $0.scenarios[0].metrics[0].p50 } == [1, 1.2])
    turns[1] = SlicedTurns.Turn(
      try build(folder, "lost", report: nil), [], folder: "\(folder.path)/out-new")
    let failure = await #expect(throws: Failure.self) { try await SlicedTurns(turns: turns).run() }
    #expect(failure?.description.contains("ended with 9 (lost)") == true)
  }

  @Test func turnsThatAreCancelledEnd() async throws {
    let folder = try TemporaryFolder()
    let turns = try ["sleep 600;", "sleep 600;"].enumerated().map { index, line in
      SlicedTurns.Turn(try OtherBuild(line), [], folder: "\(folder.path)/\(index)")
    }
    let task = Task { try await SlicedTurns(turns: turns).run() }
    task.cancel()
    #expect(try await task.value == nil)
  }
}

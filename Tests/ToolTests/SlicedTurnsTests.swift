import Foundation
import Harness
import System
import Testing

@testable import swiftwing_tool

/// Builds that run at once, by slices of time.
@Suite struct SlicedTurnsTests {
  private func start(_ line: String) throws -> ChildProcess {
    try ChildProcess("/bin/sh", ["-c", line], output: .nothing)
  }

  private static let work = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"

  @Test func allComeToTheirEnd() throws {
    let children = try [Self.work, "exit 3", Self.work + "; exit 1"].map(start)
    ProcessSlices(children: children.map(\.identifier), slice: .milliseconds(2)).run()
    #expect(children.map { $0.wait().status } == [0, 3, 1])
  }

  /// While one runs, the others stand still.
  @Test func oneRunsAtATime() throws {
    let children = try (0..<3).map { _ in try start("while :; do :; done") }
    func running() -> Int { children.count { !isHeld($0.identifier) } }
    var (slices, held) = (0, 0)
    ProcessSlices(children: children.map(\.identifier), slice: .milliseconds(2)).run {
      slices += 1
      // One that waits for a processor stands still when it gets it.
      if slices <= 20 { held += (0..<100_000).contains { _ in running() == 1 } ? 1 : 0 }
      return slices > 20 ? SIGTERM : 0
    }
    // All went on in the end, or the signal would not have reached them.
    #expect(children.map { $0.wait().signal } == [SIGTERM, SIGTERM, SIGTERM])
    #expect(held == 20)
  }

  /// While another one runs, what a build has started stands still with it.
  @Test func whatTheyStartedIsHeldToo() throws {
    let families = try ["while :; do :; done & wait", "while :; do :; done"].map(start)
    let (first, second) = (families[0].identifier, families[1].identifier)
    while ProcessSlices.family(first).count < 2 { sched_yield() }
    let started = try #require(ProcessSlices.family(first).last)
    var (slices, held) = (0, false)
    ProcessSlices(children: [first, second], slice: .milliseconds(2)).run {
      slices += 1
      held = held || (isHeld(started) && !isHeld(second))
      return held || slices > 5000 ? SIGTERM : 0
    }
    kill(started, SIGKILL)
    for child in families { _ = child.wait() }
    #expect(held)
  }

  private func isHeld(_ process: CInt) -> Bool {
    let line = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
    let fields = String(decoding: line, as: UTF8.self).split(separator: ")").last?.split(separator: " ")
    return fields?.first == "T"
  }

  /// A build that leaves the report that it is given, where it is asked to.
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

  /// The last one left is still asked to end, and then made to.
  @Test func whoeverIsLeftHearsEachSignal() throws {
    let children = try ["exit 0", "trap : TERM; while :; do :; done"].map(start)
    var slices = 0
    ProcessSlices(children: children.map(\.identifier), slice: .milliseconds(2)).run {
      slices += 1
      return slices < 10 ? 0 : slices < 50 ? SIGTERM : SIGKILL
    }
    #expect(children.map { $0.wait().signal } == [0, SIGKILL])
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

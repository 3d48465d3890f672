import Foundation
import System
import Testing

@testable import Builds

/// Processes that share the processor in time slices.
@Suite struct ProcessSlicesTests {
  private func start(_ line: String) throws -> ChildProcess {
    try ChildProcess("/bin/sh", ["-c", line], output: .nothing)
  }

  private static let work = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"

  @Test func allComeToTheirEnd() throws {
    let children = try [Self.work, "exit 3", Self.work + "; exit 1"].map(start)
    ProcessSlices(children: children.map(\.identifier), slice: .milliseconds(2)).run()
    #expect(children.map { $0.wait().status } == [0, 3, 1])
  }

  /// While one process runs, the others are stopped.
  @Test func oneRunsAtATime() throws {
    let children = try (0..<3).map { _ in try start("while :; do :; done") }
    func running() -> Int { children.count { !isHeld($0.identifier) } }
    var (slices, held) = (0, 0)
    ProcessSlices(children: children.map(\.identifier), slice: .milliseconds(2)).run {
      slices += 1
      // A process stops only when it gets a processor, so the test waits until only one runs.
      if slices <= 20 { held += (0..<100_000).contains { _ in running() == 1 } ? 1 : 0 }
      return slices > 20 ? SIGTERM : 0
    }
    // All processes were continued before the end; otherwise SIGTERM would not have ended them.
    #expect(children.map { $0.wait().signal } == [SIGTERM, SIGTERM, SIGTERM])
    #expect(held == 20)
  }

  /// When a process is stopped, its child processes are stopped too.
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

  /// The last remaining process still receives SIGTERM and then SIGKILL.
  @Test func whoeverIsLeftHearsEachSignal() throws {
    let children = try ["exit 0", "trap : TERM; while :; do :; done"].map(start)
    var slices = 0
    ProcessSlices(children: children.map(\.identifier), slice: .milliseconds(2)).run {
      slices += 1
      return slices < 10 ? 0 : slices < 50 ? SIGTERM : SIGKILL
    }
    #expect(children.map { $0.wait().signal } == [0, SIGKILL])
  }
}

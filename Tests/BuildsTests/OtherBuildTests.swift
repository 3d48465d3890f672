import Foundation
import Harness
import System
import Testing

@testable import Builds

/// The other build of `bench --against`, which takes turns with this one.
@Suite struct OtherBuildTests {
  @Test func aFolderWithoutABuildIsNoneToTakeTurnsWith() throws {
    let folder = NSTemporaryDirectory() + "build-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: "\(folder)/bin", withIntermediateDirectories: true)
    let failure = #expect(throws: Failure.self) { try OtherBuild(folder) }
    #expect(failure?.status == .sourceUnavailable)
    try OutputFile(path: "\(folder)/bin/swiftwing").write("#!/bin/sh\necho '{}'\n")
    chmod("\(folder)/bin/swiftwing", 0o755)
    #expect(try OtherBuild(folder).name == folder)
  }

  /// If the other program does not start, or prints something else, the comparison ends with a one-sentence error.
  @Test(arguments: [
    ("echo nothing", Harness.ExitStatus.usage), ("/nowhere/at/all", .sourceUnavailable),
    ("exit 7;", .sourceUnavailable),
  ])
  func whatIsNoBuildSaysSo(command: String, status: Harness.ExitStatus) async throws {
    let build = try OtherBuild(command)
    let failure = await #expect(throws: Failure.self) { try await build.scenarios(["--duration", "turn"]) }
    #expect(failure?.status == status && failure?.description.contains("cannot take turns with") == true)
  }

  @Test func whatRefusesTheOptionsIsToldApart() async throws {
    #expect(try await OtherBuild("sh -c 'exit 2'").scenarios([]) == nil)
  }

  @Test func aTurnWithoutAReportIsAnError() async throws {
    let folder = NSTemporaryDirectory() + "turn-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (command, words) in [("true", "report.json"), ("sh -c 'echo broken >&2; exit 9'", "broken")] {
      let failure = await #expect(throws: Failure.self) {
        try await OtherBuild(command).turn([], folder: folder)
      }
      #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
    }
  }

  @Test func aTurnThatIsCancelledEnds() async throws {
    let task = Task { try await OtherBuild("sleep 60; true").turn([], folder: "/tmp/none") }
    task.cancel()
    #expect(try await task.value == nil)
  }
}

import Foundation
import JSON
import System
import Testing

/// The log and the trace of the programs, as users get them.
@Suite struct LogCommandTests {
  private static let programs = ["swiftwing", "swiftwing-tool"].map { RunningProgram.sibling($0) }
  private let folder: String

  init() throws {
    folder = "\(NSTemporaryDirectory())log-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func run(
    _ program: Int, log: String = "", _ arguments: [String]
  ) throws -> (status: Int32, output: String, errors: String) {
    let said = try ChildProcess.run(
      "/usr/bin/env", ["SWIFTWING_LOG=\(log)", Self.programs[program]] + arguments, keeping: 1 << 20,
      keepingErrors: 1 << 20)
    return (
      said.end.status, String(decoding: said.output, as: UTF8.self),
      String(decoding: said.errors, as: UTF8.self)
    )
  }

  private let view = ["view", "--source", "simulated:64x64@60", "--size", "64x64", "--frames", "3"]

  private func names(_ path: String) throws -> Set<String> {
    guard case .array(let events) = try JSONParser.parse([UInt8](Data(contentsOf: URL(filePath: path))))
    else { return [] }
    return Set(
      events.compactMap { event in
        guard case .object(let fields) = event, case .string(let name) = fields["name"] else { return nil }
        return name
      })
  }

  @Test func nothingIsSaidUnlessItIsAskedFor() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let said = try run(0, view)
    #expect(said.status == 0 && said.errors.isEmpty)
  }

  @Test func statesAreSaid() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let said = try run(0, log: "session=info", view)
    #expect(said.status == 0 && said.output.contains("3 pictures"))
    #expect(said.errors.contains("] session info: running, after starting"))
    #expect(!said.errors.contains("debug"))
  }

  @Test(arguments: [0, 1]) func aWordThatMeansNothingIsOneError(program: Int) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let said = try run(program, log: "v4l=debug", program == 0 ? view : ["devices"])
    #expect(said.status == 2)
    #expect(
      said.errors.hasPrefix(
        "swiftwing: SWIFTWING_LOG names v4l, which is no category of the log; choose one of v4l2,"))
    #expect(said.errors.split(separator: "\n").count == 1)
  }

  /// If a command fails, its error is followed by the latest log lines. A command that succeeds prints none.
  @Test func anErrorHasItsHistory() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let fine = try run(0, log: "history", view)
    #expect(fine.status == 0 && fine.errors.isEmpty)
    let failed = try run(
      1, log: "history", ["record", "--source", "/dev/video94", "--out", "\(folder)/film.mp4"])
    let lines = failed.errors.split(separator: "\n")
    #expect(failed.status == 4 && lines.first?.hasPrefix("swiftwing: ") == true)
    #expect(lines.dropFirst().contains { $0.contains("session debug: event failed") })
  }

  @Test func aViewfinderLeavesATrace() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = "\(folder)/view.json"
    let said = try run(0, view + ["--trace", path])
    #expect(said.status == 0 && said.errors.isEmpty)
    #expect(
      try names(path).isSuperset(of: ["delivered", "preview: drawn", "preview: presented", "thread_name"]))
    let again = try run(0, view + ["--trace", path])
    #expect(again.status == 2 && again.errors.contains("there is something of that name already"))
  }

  @Test func aRecordingLeavesATrace() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = "\(folder)/record.json"
    let said = try run(
      1,
      [
        "record", "--source", "simulated:64x64@60", "--seconds", "0.5", "--out", "\(folder)/corpus",
        "--no-settings", "--trace", path,
      ])
    #expect(said.status == 0, "\(said.errors)")
    #expect(try names(path).isSuperset(of: ["delivered", "recording: written"]))
  }
}

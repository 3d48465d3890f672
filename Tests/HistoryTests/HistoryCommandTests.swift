import Foundation
import System
import Testing

@testable import Harness
@testable import History

/// `swiftwing report add` and `trend`, run as processes.
@Suite struct HistoryCommandTests {
  private static let program = RunningProgram.sibling("swiftwing-tool")
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ runs: Range<Int>, commit: String = "c") throws -> [String] {
    try runs.map { run in
      let path = "\(folder.path)/\(commit)\(run).json"
      let report = RunFixture(
        commit: "\(commit)\(run)", day: -Double(run) / 10, latency: [10 + Double(run % 3)]
      ).report
      try ReportFile.encode(report).write(to: URL(filePath: path))
      return path
    }
  }

  private func run(_ words: [String]) throws -> (status: Int32, output: String, errors: String) {
    let said = try ChildProcess.run(Self.program, words, keeping: 1 << 20, keepingErrors: 1 << 20)
    return (
      said.end.status, String(decoding: said.output, as: UTF8.self),
      String(decoding: said.errors, as: UTF8.self)
    )
  }

  @Test func refusalsDoNotStopTheOthers() throws {
    let paths = try write(0..<3)
    try Data("{\"schema\": ".utf8).write(to: URL(filePath: "\(folder.path)/cut.json"))
    try Data("{}".utf8).write(to: URL(filePath: "\(folder.path)/other.json"))
    let odd = ["cut", "other", "none"].map { "\(folder.path)/\($0).json" }
    let ended = try run([
      "report", "add", paths[0], odd[0], odd[1], odd[2], paths[1], paths[0], "--history", folder.history,
    ])
    #expect(ended.status == 2)
    #expect(ended.output.hasSuffix("2 added, 1 there already, 3 refused; \(folder.history) has 2 runs\n"))
    let errors = ended.errors.split(separator: "\n")
    #expect(errors.count == 3 && errors.allSatisfy { $0.hasPrefix("swiftwing: Could not read the report ") })
  }

  @Test func trendEndsWithItsStatus() throws {
    let paths = try write(0..<12)
    #expect(try run(["report", "add", paths[0], "--history", folder.history]).status == 0)
    let few = try run(["report", "trend", "--history", folder.history])
    #expect(
      few.status == 3 && few.output.hasPrefix("INCONCLUSIVE: ") && few.output.hasSuffix("/trend.html\n"))
    #expect(try run(["report", "add"] + paths + ["--history", folder.history]).status == 0)
    #expect(try run(["report", "trend", "--json", "--history", folder.history]).status == 0)
    // A truncated history is refused, and not replaced.
    let whole = try #require(FileManager.default.contents(atPath: folder.history))
    try whole.prefix(whole.count / 2).write(to: URL(filePath: folder.history))
    for words in [["trend"], ["add", paths[0]], ["export", "--csv"], ["prune", "--keep", "1"]] {
      let cut = try run(["report"] + words + ["--history", folder.history])
      #expect(cut.status == 2 && cut.output.isEmpty, "\(words)")
      #expect(cut.errors.contains("it was cut off: it has \(whole.count / 2) of \(whole.count) bytes"))
    }
  }

  /// After ^C the history has every run that was reported as added, and no part of another.
  @Test func interruptLosesNothingThatWasTold() throws {
    let paths = try write(0..<200)
    let pipe = Pipe()
    let process = try ChildProcess(
      Self.program, ["report", "add"] + paths + ["--history", folder.history],
      output: .descriptor(pipe.fileHandleForWriting.fileDescriptor), errors: .nothing)
    try pipe.fileHandleForWriting.close()
    var told = Data()
    while told.count(where: { $0 == 10 }) < 20 {
      let more = pipe.fileHandleForReading.availableData
      guard !more.isEmpty else { break }
      told += more
    }
    process.send(SIGINT)
    told += pipe.fileHandleForReading.readDataToEndOfFile()
    _ = process.wait()
    let lines = String(decoding: told, as: UTF8.self).split(separator: "\n").filter {
      $0.hasPrefix("added: ")
    }
    let runs = try History(path: folder.history).trend().settings[0].runs
    #expect(lines.count >= 20 && (lines.count...lines.count + 1).contains(runs.count))
    // The remaining runs can still be added.
    #expect(try run(["report", "add"] + paths + ["--history", folder.history]).status == 0)
    #expect(try History(path: folder.history).count() == 200)
  }

  @Test func twoCommandsAtOnceLoseNothing() async throws {
    let (ours, theirs) = (try write(0..<40), try write(0..<40, commit: "d"))
    try await withThrowingTaskGroup(of: Int32.self) { group in
      for paths in [ours, theirs] {
        group.addTask { [history = folder.history] in
          try ChildProcess.run(
            Self.program, ["report", "add"] + paths + ["--history", history], keeping: 1 << 20
          ).end.status
        }
      }
      for try await status in group { #expect(status == 0) }
    }
    #expect(try History(path: folder.history).count() == 80)
  }
}

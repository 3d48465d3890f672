import Foundation
import GRDB
import Harness
import Library
import Testing
import Uploads

@testable import swiftwing_tool

/// The exit statuses of `swiftwing scan` when it cannot start.
@Suite struct ScanStatusTests {
  private func status(ofScanning source: String, into folder: String) async throws -> Int32 {
    let arguments = [
      "scan", "--source", source, "--library", folder, "--recognizer", "backend", "--no-fallback",
      "--server", "https://127.0.0.1:9", "--wait", "0", "--json",
    ]
    let command = try #require(try Invocation(arguments).command() as? LiveScan)
    do {
      try await command.run()
      return 0
    } catch { return Failure.status(of: error, arguments) }
  }

  private func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  /// The library opens, but its spines cannot be read.
  @Test func aLibraryThatCannotBeReadIsAFailure() async throws {
    try await withFolder { folder in
      try withExtendedLifetime(Store(directory: folder)) { _ in }
      let database = try DatabaseQueue(path: "\(folder)/library.sqlite")
      try await database.writeWithoutTransaction { try $0.execute(sql: "DROP TABLE spine") }
      try database.close()
      let status = try await status(ofScanning: "simulated:320x240@30", into: folder)
      #expect(status == 1)
    }
  }

  @Test func aLibraryThatIsNoneIsAFailure() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data((0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 37) }).write(
        to: URL(filePath: "\(folder)/library.sqlite"))
      let status = try await status(ofScanning: "simulated:320x240@30", into: folder)
      #expect(status == 1)
    }
  }

  @Test func aCameraThatIsNotThereIsUnavailable() async throws {
    try await withFolder { folder in
      let status = try await status(ofScanning: "/dev/no-such-camera", into: folder)
      #expect(status == 4)
    }
  }
}

import Corpora
import Foundation
import Glibc

/// A scanning process that is going to be killed.
struct Victim {
  let directory: String
  /// Nil when it finds the books itself.
  let server: String?

  /// This program, also where it is a library of the tests.
  static let program = "\(CorpusRoots.executableFolder() ?? ".")/swiftwing-tool"

  /// Starts it, waits for its first word or its time to be up, kills it at that time.
  func liveFor(_ milliseconds: Int) throws -> Life {
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(filePath: Self.program)
    process.arguments = ["trial", "victim", directory] + (server.map { [$0] } ?? [])
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var ready = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    // Starting takes about 40 ms, of which every fourth process is killed in the middle.
    if !milliseconds.isMultiple(of: 4) { poll(&ready, 1, 2000) }
    usleep(UInt32(milliseconds) * 1000)
    kill(process.processIdentifier, SIGKILL)
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Life(said: said)
  }
}

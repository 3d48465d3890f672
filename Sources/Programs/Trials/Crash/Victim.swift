import Foundation
import Glibc
import System

/// A scanning process that is going to be killed.
package struct Victim: Sendable {
  let directory: String
  /// Nil when it finds the books itself.
  let server: String?

  /// What knows these trials as commands.
  package static let program = RunningProgram.sibling("swiftwing-tool")

  /// Starts the process, waits for its first line, and kills it after the time given.
  func liveFor(_ milliseconds: Int) throws -> Life {
    let output = try ProcessPipe()
    let process = try ChildProcess(
      Self.program, ["trial", "victim", directory] + (server.map { [$0] } ?? []),
      output: .descriptor(output.writer),
      errors: .nothing)
    output.closeWriter()
    // Starting takes about 40 ms, of which every fourth process is killed in the middle.
    if !milliseconds.isMultiple(of: 4) { _ = output.isReadable(within: 2000) }
    usleep(UInt32(milliseconds) * 1000)
    process.send(SIGKILL)
    output.readToEnd(keeping: .max)
    _ = process.wait()
    return Life(said: Data(output.bytes))
  }
}

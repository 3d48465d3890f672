import Foundation
import Glibc
import System

/// A scanning process that is killed.
package struct Victim: Sendable {
  let directory: String
  /// The address of the backend. Nil if the process itself finds the books.
  let server: String?

  /// The program that has these trials as commands.
  package static let program = RunningProgram.sibling("swiftwing-tool")

  /// Starts the process, waits for its first line, and kills it after `milliseconds`.
  func liveFor(_ milliseconds: Int) throws -> Life {
    let output = try ProcessPipe()
    let process = try ChildProcess(
      Self.program, ["trial", "victim", directory] + (server.map { [$0] } ?? []),
      output: .descriptor(output.writer),
      errors: .nothing)
    output.closeWriter()
    // The start takes about 40 ms. For every fourth value no first line is awaited, so that the kill can hit the start.
    if !milliseconds.isMultiple(of: 4) { _ = output.isReadable(within: 2000) }
    usleep(UInt32(milliseconds) * 1000)
    process.send(SIGKILL)
    output.readToEnd(keeping: .max)
    return Life(said: Data(output.bytes), signal: process.wait().signal)
  }
}

import Console
import Foundation
import System
import TalariaServer

/// The reference backend in a process of its own, so that its memory is not ours; ends when its standard input does.
struct BackendProcess {
  let url: String
  private let process: ChildProcess
  private let lifeline: ProcessPipe

  struct Failure: Error, CustomStringConvertible {
    let description = "the reference backend does not start"
  }

  init() throws {
    lifeline = try ProcessPipe()
    let output = try ProcessPipe()
    process = try ChildProcess(
      Victim.program, ["trial", "serve"], input: .descriptor(lifeline.reader),
      output: .descriptor(output.writer))
    lifeline.closeReader()
    output.closeWriter()
    // One short line, written at once.
    output.read(keeping: 1000)
    guard !output.bytes.isEmpty else { throw Failure() }
    url = String(decoding: output.bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func end() {
    lifeline.closeWriter()
    _ = process.wait()
  }
}

/// The backend of a drain: every line of text is a book.
package enum DrainBackend {
  /// Says its address, and serves until standard input ends.
  package static func serve() throws {
    let server = try TalariaServer { upload in
      (upload.text ?? "").split(separator: "\n").map { FoundBook(title: String($0)) }
    }
    Terminal.say(document: server.url)
    while let bytes = try FileHandle.standardInput.read(upToCount: 1), !bytes.isEmpty {}
    server.stop()
  }
}

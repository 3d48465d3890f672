import Console
import Foundation
import System
import TalariaServer

/// The reference backend in a separate process, so that its memory is not counted as that of the client. It ends when its standard input is closed.
struct BackendProcess {
  let url: String
  private let process: ChildProcess
  private let lifeline: ProcessPipe

  struct Failure: Error, CustomStringConvertible {
    let description =
      "the reference backend does not start: `trial serve` printed no address; run it to see the reason"
  }

  init() throws {
    lifeline = try ProcessPipe()
    let output = try ProcessPipe()
    process = try ChildProcess(
      Victim.program, ["trial", "serve"], input: .descriptor(lifeline.reader),
      output: .descriptor(output.writer))
    lifeline.closeReader()
    output.closeWriter()
    // The address is one short line, written at once.
    output.read(keeping: 1000)
    guard !output.bytes.isEmpty else { throw Failure() }
    url = String(decoding: output.bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func end() {
    lifeline.closeWriter()
    _ = process.wait()
  }
}

/// The backend of a drain trial. Every line of text is a book.
package enum DrainBackend {
  /// Prints its address, and serves until standard input ends.
  package static func serve() throws {
    let server = try TalariaServer { upload in
      (upload.text ?? "").split(separator: "\n").map { FoundBook(title: String($0)) }
    }
    Terminal.say(document: server.url)
    while let bytes = try FileHandle.standardInput.read(upToCount: 1), !bytes.isEmpty {}
    server.stop()
  }
}

import ArgumentParser
import Console
import Foundation
import TalariaServer

/// The reference backend in a process of its own, so that its memory is not ours; ends when its standard input does.
struct BackendProcess {
  let url: String
  private let process = Process()
  private let lifeline = Pipe()

  struct Failure: Error, CustomStringConvertible {
    let description = "the reference backend does not start"
  }

  init() throws {
    let output = Pipe()
    process.executableURL = URL(filePath: Victim.program)
    process.arguments = ["trial", "serve"]
    process.standardInput = lifeline
    process.standardOutput = output
    try process.run()
    // One short line, written at once.
    let line = output.fileHandleForReading.availableData
    guard !line.isEmpty else { throw Failure() }
    url = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func end() {
    try? lifeline.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}

/// The backend of a drain: every line of text is a book.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "serve", shouldDisplay: false)

  func run() async throws {
    let server = try TalariaServer { upload in
      (upload.text ?? "").split(separator: "\n").map { FoundBook(title: String($0)) }
    }
    Terminal.say(document: server.url)
    while let bytes = try FileHandle.standardInput.read(upToCount: 1), !bytes.isEmpty {}
    server.stop()
  }
}

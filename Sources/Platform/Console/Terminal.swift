import Foundation
import Glibc
import System

/// Writes results to standard output, and everything else to standard error. Text for a person is made safe first. Lines of different threads are
/// never interleaved, and a reader that closes its pipe ends the program.
package enum Terminal {
  /// Whether standard error is a terminal. Only then is progress redrawn in place.
  package static let isInteractive = isatty(STDERR_FILENO) == 1
  private static let line = Locked(())

  package static func say(_ text: String) { write(plain(text, STDOUT_FILENO), to: STDOUT_FILENO) }
  package static func tell(_ text: String) { write(plain(text, STDERR_FILENO), to: STDERR_FILENO) }

  /// Prints JSON for a program. Its meaning is unchanged; characters that would move a terminal's cursor are escaped.
  package static func say(document text: String) {
    let bytes = TerminalText.escaped(json: Array(text.utf8))
    write(bytes.last == 10 ? bytes : bytes + [10], to: STDOUT_FILENO)
  }
  package static func say(json value: some Encodable) throws {
    say(document: try json(value, .prettyPrinted))
  }
  /// Prints one JSON object per line, for a reader that follows the output.
  package static func say(line value: some Encodable) throws { say(document: try json(value)) }

  /// Writes a line to standard error that the next one replaces. Writes nothing if standard error is no terminal.
  package static func progress(_ text: String) { if isInteractive { draw(text) } }
  package static func endProgress() { progress("") }

  /// Writes a line to standard error that the next one replaces, cut to 79 columns.
  package static func draw(_ text: String) {
    write("\r\u{1B}[2K\(PlainText.fitted(text, columns: 79))", to: STDERR_FILENO)
  }

  package static func write(_ bytes: [UInt8], to descriptor: CInt) {
    line.withLock { _ in bytes.withUnsafeBytes { put($0, to: descriptor) } }
  }

  /// Writes a line to standard error and ends the program. Waits for a line that another thread is writing. A second ^C ends the program at once.
  package static func end(with text: String, _ status: CInt) {
    signal(SIGINT, SIG_DFL)
    line.withLock { _ in
      QuietTerminal.restore()
      Array(plain(text, STDERR_FILENO).utf8).withUnsafeBytes { put($0, to: STDERR_FILENO) }
      _exit(status)
    }
  }

  /// The text with each line made safe, and a line end. On a terminal the lines are also broken to the width of the window; for a file or a pipe
  /// they are not.
  private static func plain(_ text: String, _ descriptor: CInt) -> String {
    let columns = columns(of: descriptor)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      let line = line.split(separator: "\t", omittingEmptySubsequences: false)
        .map { PlainText.printable(String($0)) }.joined(separator: "\t")
      return columns.map { PlainText.broken(line, columns: $0) } ?? [line]
    }
    let whole = lines.joined(separator: "\n")
    return whole.hasSuffix("\n") ? whole : whole + "\n"
  }

  /// The width of the window. Nil if the descriptor is not a terminal.
  private static func columns(of descriptor: CInt) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    guard let window = TerminalWindow(descriptor), window.columns >= 20 else { return 80 }
    return window.columns
  }

  private static func write(_ text: String, to descriptor: CInt) { write(Array(text.utf8), to: descriptor) }

  private static func put(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) {
    let code = WholeFile.write(bytes, to: descriptor)
    if code != 0 { give(up: descriptor, code) }
  }

  /// Ends the program, since its results cannot be written. If the reader has closed its pipe, no error is printed.
  private static func give(up descriptor: CInt, _ code: CInt) -> Never {
    if descriptor == STDOUT_FILENO, code != EPIPE {
      let reason =
        "swiftwing: cannot write to standard output: \(String(cString: strerror(code))); "
        + "redirect it elsewhere\n"
      _ = Array(reason.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
    Glibc.exit(1)
  }

  private static func json(_ value: some Encodable, _ extra: JSONEncoder.OutputFormatting = []) throws
    -> String
  {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, extra]
    encoder.dateEncodingStrategy = .iso8601
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

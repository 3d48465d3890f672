import Foundation
import Glibc

/// Results go to standard output, everything else to standard error.
enum Terminal {
  /// Progress is drawn over itself only where a person looks at it.
  static let isInteractive = isatty(STDERR_FILENO) == 1

  static func say(_ text: String) { write(text, to: STDOUT_FILENO) }
  static func tell(_ text: String) { write(text, to: STDERR_FILENO) }

  static func say(json value: some Encodable) throws { say(try json(value, .prettyPrinted)) }
  /// One object a line, for a reader that follows.
  static func say(line value: some Encodable) throws { say(try json(value)) }

  /// A line that the next one replaces.
  static func progress(_ text: String) {
    guard isInteractive else { return }
    write(Array("\r\u{1B}[2K\(text.prefix(79))".utf8), to: STDERR_FILENO)
  }

  /// A reader that has gone has no use for the rest: the program ends.
  static func write(_ bytes: [UInt8], to descriptor: CInt) {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { Glibc.exit(1) }
        rest = rest.dropFirst(count)
      }
    }
  }

  private static func write(_ text: String, to descriptor: CInt) {
    write(Array((text.hasSuffix("\n") ? text : text + "\n").utf8), to: descriptor)
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

import Foundation

/// Results go to standard output, everything else to standard error.
enum Terminal {
  /// Progress is drawn over itself only where a person looks at it.
  static let isInteractive = isatty(STDERR_FILENO) == 1

  static func say(_ text: String) { write(text, to: .standardOutput) }
  static func tell(_ text: String) { write(text, to: .standardError) }

  /// A line that the next one replaces.
  static func progress(_ text: String) {
    guard isInteractive else { return }
    try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[2K\(text.prefix(79))".utf8))
  }

  static func endProgress() { progress("") }

  static func say(json value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    say(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  private static func write(_ text: String, to handle: FileHandle) {
    // A reader that went away has no use for the rest.
    try? handle.write(contentsOf: Data((text.hasSuffix("\n") ? text : text + "\n").utf8))
  }
}

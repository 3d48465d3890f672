/// A text that is an external name: of a file, a path, a token, a header, an id. The system and other programs compare such names byte by byte.
/// Swift compares characters: it takes `é` of one scalar and of two for equal, and does not find a `/` with an accent.
package struct ExactText: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let text: String

  package init(_ text: String) { self.text = text }

  package var description: String { text }

  package static func == (one: ExactText, other: ExactText) -> Bool { one.text.isExactly(other.text) }
  package static func < (one: ExactText, other: ExactText) -> Bool { one.text.comesBefore(other.text) }
  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension StringProtocol {
  /// Whether the text and `other` have equal bytes in UTF-8.
  package func isExactly(_ other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

  package func begins(exactly start: some StringProtocol) -> Bool { utf8.starts(with: start.utf8) }

  package func ends(exactly end: some StringProtocol) -> Bool {
    utf8.count >= end.utf8.count && utf8.suffix(end.utf8.count).elementsEqual(end.utf8)
  }

  /// Whether an ASCII character is among the text's bytes, even if a combining mark follows it.
  package func holds(_ sign: Unicode.Scalar) -> Bool { utf8.contains(UInt8(ascii: sign)) }

  /// Whether the text sorts before `other` in byte order, which is the same on every machine.
  package func comesBefore(_ other: some StringProtocol) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// The text with A to Z in lower case, and all other letters unchanged, for protocols that ignore the case of ASCII.
  package var smallASCII: String {
    String(decoding: utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }

  /// The last component of a path. The whole text if there is no `/`.
  package var lastName: String {
    String(decoding: utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed(), as: UTF8.self)
  }

  /// The path without its last component and the `/` before it. `/` for an entry of the root; nil if there is no `/`.
  package var folderName: String? {
    let bytes = Array(utf8)
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
  }

  /// The components of a path, without empty ones.
  package var pathParts: [String] {
    utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The path of a database for SQLite, which takes a path that begins with `file:` for a URI (https://www.sqlite.org/uri.html), and `:memory:` for
  /// no file.
  package var databasePath: String {
    begins(exactly: "file:") || isExactly(":memory:") ? "./\(self)" : String(self)
  }

  /// Whether the text is only the name of a file in a folder: not a path, not hidden, not empty.
  package var isPlainFileName: Bool {
    !isEmpty && utf8.count <= 255 && utf8.first != UInt8(ascii: ".") && !holds("/") && !utf8.contains(0)
  }
}

extension Sequence where Element: StringProtocol {
  /// Whether an element has the same bytes as `name`.
  package func holds(exactly name: some StringProtocol) -> Bool { contains { $0.isExactly(name) } }
}

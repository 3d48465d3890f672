import Bibliography
import FoundationEssentials

/// Finds the objects of a JSON list as its bytes arrive, so that a list may have any length. The list is `[…]`, or the member `books` of
/// `{"books":[…]}` if it is the last member.
///
/// Memory is bounded: at most 1 KB before the list, and at most 64 KB per object. The content of an object is not parsed.
struct JSONListReader: Sendable {
  struct Item: Equatable {
    /// The line where the object begins, counted from 1.
    var line: Int
    var bytes: [UInt8]
  }

  static let (headLimit, itemLimit) = (1024, 65_536)

  private enum State { case head, beforeItem, item, afterItem, tail, whole }

  private var state = State.head
  private var bytes: [UInt8] = []
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var isEmpty = true
  private var isBare = false
  private var line = 1
  private var itemLine = 1

  /// The objects that end in `bytes`.
  mutating func parse(_ bytes: some Sequence<UInt8>) throws(ListTrouble) -> [Item] {
    var items: [Item] = []
    for byte in bytes {
      if let item = try take(byte) { items.append(item) }
      if byte == UInt8(ascii: "\n") { line += 1 }
    }
    return items
  }

  func end() throws(ListTrouble) {
    guard state == .whole else { throw trouble("the file ends before the list of books does") }
  }

  private mutating func take(_ byte: UInt8) throws(ListTrouble) -> Item? {
    let isSpace = [9, 10, 13, 32].contains(byte)
    switch (state, byte) {
    case (.head, _): try takeHead(byte)
    case (.item, _): return try takeItem(byte)
    case (_, _) where isSpace: break
    case (.beforeItem, UInt8(ascii: "{")):
      itemLine = line
      state = .item
      return try takeItem(byte)
    case (.afterItem, UInt8(ascii: ",")): state = .beforeItem
    case (.afterItem, UInt8(ascii: "]")),
      (.beforeItem, UInt8(ascii: "]")) where isEmpty:
      state = isBare ? .whole : .tail
    case (.tail, UInt8(ascii: "}")): state = .whole
    default: throw trouble("it is not a list of books in JSON")
    }
    return nil
  }

  /// Takes a byte of the head, which is everything up to the first `[`. Before that of a bare list is nothing but blanks; any other
  /// head must be valid JSON when `]}` is appended.
  private mutating func takeHead(_ byte: UInt8) throws(ListTrouble) {
    guard bytes.count < Self.headLimit else { throw trouble("it does not begin with a list of books") }
    bytes.append(byte)
    guard byte == UInt8(ascii: "[") else { return }
    struct Head: Decodable {
      var schema: String?
      var books: [Int]
    }
    isBare = bytes.dropLast().allSatisfy { [9, 10, 13, 32].contains($0) }
    if !isBare {
      guard let head = try? JSONDecoder().decode(Head.self, from: Data(bytes + Array("]}".utf8))) else {
        throw trouble("it does not begin with a list of books")
      }
      guard head.schema == nil || head.schema == BookListFormat.schema else {
        throw trouble("its schema is not \(BookListFormat.schema)")
      }
    }
    bytes = []
    state = .beforeItem
  }

  /// Reads a byte of an object, and returns the object if it ends here.
  private mutating func takeItem(_ byte: UInt8) throws(ListTrouble) -> Item? {
    guard bytes.count < Self.itemLimit else {
      throw ListTrouble(line: itemLine, reason: "a book is over 64 KB")
    }
    bytes.append(byte)
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return nil
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
    default: break
    }
    guard depth == 0 else { return nil }
    defer { bytes.removeAll(keepingCapacity: true) }
    (state, isEmpty) = (.afterItem, false)
    return Item(line: itemLine, bytes: bytes)
  }

  private func trouble(_ reason: String) -> ListTrouble { ListTrouble(line: line, reason: reason) }
}

import Delivery
import Foundation

/// A line that a person answers with.
enum ReviewAnswerLine: Equatable {
  case right, noBook, skip, back, quit, help
  case correction(BookEdit)

  /// Most bytes of a line.
  static let limit = 16_000

  init(_ line: String) {
    let text = CleanText.line(line)
    switch text.lowercased() {
    case "", "y", "yes": self = .right
    case "d": self = .noBook
    case "s": self = .skip
    case "u": self = .back
    case "q": self = .quit
    case "?", "h", "help": self = .help
    default: self = .correction(Self.edit(text))
    }
  }

  /// An ISBN, or `Title / Author`; after `=` whatever follows, even one letter.
  private static func edit(_ text: String) -> BookEdit {
    if isNumber(text) { return BookEdit(isbn: text) }
    let name = text.hasPrefix("=") ? CleanText.line(String(text.dropFirst())) : text
    guard let divider = name.range(of: " / ") else { return BookEdit(title: name) }
    return BookEdit(title: String(name[..<divider.lowerBound]), author: String(name[divider.upperBound...]))
  }

  /// Whether it is meant as an ISBN, right or wrong: ten or thirteen digits.
  private static func isNumber(_ text: String) -> Bool {
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
    guard digits.count == 10 || digits.count == 13 else { return false }
    return digits.dropLast().allSatisfy { (48...57).contains($0) }
      && (digits.last.map { (48...57).contains($0) || $0 | 0x20 == UInt8(ascii: "x") } ?? false)
  }

  static let legend = """
    Enter or y       it is right as it is
    TITLE            the right title
    TITLE / AUTHOR   the right title and author
    ISBN             its ISBN
    =T               a title that would be taken for an answer, such as =S
    d                it is not a book: delete it
    s                skip it
    u                take the last answer back
    q                end; what was answered is kept
    """
}

import Bibliography
import Library

/// A line with a person's answer.
enum ReviewAnswerLine: Equatable {
  case right, noBook, skip, back, quit, help
  /// The title and the author are exchanged.
  case swap
  case correction(BookEdit)
  /// The spine is several books.
  case several([BookEdit])
  /// A book that was not read stands behind the book under review.
  case missing(BookEdit)

  /// The greatest length of a line, bytes.
  static let limit = 16_000

  init(_ line: String) {
    let text = CleanText.line(line)
    switch text.lowercased() {
    case "", "y", "yes": self = .right
    case "d": self = .noBook
    case "s": self = .skip
    case "u": self = .back
    case "x": self = .swap
    case "q": self = .quit
    case "?", "h", "help", "e": self = .help
    default: self = Self.names(text) ?? .help
    }
  }

  /// The answer of an edited line that was filled with `Title / Author`: without an author, the book has none.
  init(edited line: String) {
    let text = CleanText.line(line)
    switch text.hasPrefix("+") && !text.hasPrefix("+ ") ? nil : Self.names(text) {
    case .several(let names): self = .several(names)
    case .missing(let name): self = .missing(name)
    case .correction(let name) where name.isbn != nil: self = .correction(name)
    case .right, .noBook, .skip, .back, .quit, .help, .swap, .correction, nil:
      self =
        BookName.parse(text).map { .correction(BookEdit(title: $0.title, author: $0.author ?? "")) } ?? .help
    }
  }

  /// Parses an ISBN, `Title / Author`, several of them divided by ` | `, or after `+` one more book. After `=`, everything is one
  /// title, even a single letter. Nil if there is no name.
  private static func names(_ text: String) -> ReviewAnswerLine? {
    if isNumber(text) { return .correction(BookEdit(isbn: text)) }
    if text.hasPrefix("=") { return BookName.parse(String(text.dropFirst())).map { .correction($0) } }
    if text.hasPrefix("+") { return BookName.parse(String(text.dropFirst())).map { .missing($0) } }
    let parts = " \(text) ".split(separator: " | ", omittingEmptySubsequences: false).map {
      BookName.parse(String($0))
    }
    let names = parts.compactMap(\.self)
    if names.count > 1, names.count == parts.count { return .several(names) }
    return BookName.parse(text).map { .correction($0) }
  }

  /// Whether a text is meant as an ISBN, valid or not: ten or thirteen digits.
  private static func isNumber(_ text: String) -> Bool {
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
    guard digits.count == 10 || digits.count == 13 else { return false }
    return digits.dropLast().allSatisfy { (48...57).contains($0) }
      && (digits.last.map { (48...57).contains($0) || $0 | 0x20 == UInt8(ascii: "x") } ?? false)
  }

  static let legend = """
    Enter or y       it is right as it is
    TITLE            the right title; the author stays
    TITLE / AUTHOR   the right title and author
    TITLE /          the right title, and no author
    / AUTHOR         the right author; the title stays
    NAME | NAME      it is two books, or more; a NAME is a TITLE or TITLE / AUTHOR
    + NAME           behind it stands a book that was not read: add that
    ISBN             its ISBN
    =T               a title that would be taken for an answer, such as =S or =+1
    x                swap title and author
    d                it is not a book: delete it
    s                skip it
    u                take the last answer back
    q                end; what was answered is kept
    """
}

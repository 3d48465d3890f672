import Bibliography
import Library

/// A person's line about a screen of numbered books.
enum ScreenAnswer: Equatable {
  /// The books that are named, and what is wrong with each. The others are as the screen says.
  case named([Int: Mark])
  case skip, back, quit, help

  /// What a letter behind a number says of a book.
  enum Mark: Equatable {
    /// The name is to be edited as a line.
    case edit
    case right, noBook, swap, skip
    /// So many last words belong to neither title nor author.
    case shorter(Int)
  }

  /// - Parameter count: the number of books on the screen, at most 9.
  init(_ line: String, of count: Int) {
    let text = CleanText.line(line).lowercased()
    switch text {
    case "", "y", "yes": self = .named([:])
    case "s": self = .skip
    case "u": self = .back
    case "q": self = .quit
    default: self = Self.marks(text, count).map(Self.named) ?? .help
    }
  }

  private static func marks(_ text: String, _ count: Int) -> [Int: Mark]? {
    var marks: [Int: Mark] = [:]
    for word in text.split(whereSeparator: { $0 == " " || $0 == "," }) {
      guard let first = word.first, first.isASCII, let number = first.wholeNumberValue,
        (1...count).contains(number), marks[number] == nil, let mark = Mark(String(word.dropFirst()))
      else { return nil }
      marks[number] = mark
    }
    return marks.isEmpty ? nil : marks
  }

  static let legend = """
    Enter        the books are as the line above says
    3            book 3 is wrong: edit its line
    3d           3 is no book: delete it
    3x           its title and author are swapped
    3-           its last word belongs to neither; 3-- two words
    3y           it is a book, and right
    3s           leave 3 for later
    3 5d 7-      several at once; the others are as the line above says
    s            leave all of these for later
    u            go back one screen, and take its answers back
    q            end; what was answered is kept
    While a line is edited:
    Enter        it is right now
    TITLE / AUTHOR, or TITLE
    NAME | NAME  it is two books, or more
    + NAME       behind it stands a book that was not read: add that
    ISBN         its ISBN
    ^W, ^U, ^K   delete a word, all before the cursor, all behind it
    Alt-B, Alt-F to the word before, to the next; or Ctrl and an arrow
    ^C           leave it for later
    """
}

extension ScreenAnswer.Mark {
  fileprivate init?(_ letters: String) {
    switch letters {
    case "", "e": self = .edit
    case "y": self = .right
    case "d": self = .noBook
    case "x": self = .swap
    case "s": self = .skip
    default:
      guard letters.allSatisfy({ $0 == "-" }) else { return nil }
      self = .shorter(letters.count)
    }
  }

  /// The answer about `book`. Nil if its line is to be edited, also because too few words would be left.
  func answer(_ book: Book) -> ReviewAnswerLine? {
    switch self {
    case .edit: return nil
    case .right: return .right
    case .noBook: return .noBook
    case .swap: return .swap
    case .skip: return .skip
    case .shorter(let count):
      let isTitle = book.author.isEmpty
      let words = (isTitle ? book.title : book.author).split(separator: " ").dropLast(count)
      guard !words.isEmpty else { return nil }
      let text = words.joined(separator: " ")
      return .correction(isTitle ? BookEdit(title: text) : BookEdit(author: text))
    }
  }
}

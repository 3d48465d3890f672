import Bibliography

/// The words of a holding, prepared for comparison.
struct HoldingText {
  let title: [FoldedWord]
  let author: [FoldedWord]
  /// The letters and digits of the mark. Empty if there is none.
  let mark: [UInt32]
  let isbns: Set<String>

  init(_ holding: Holding) {
    title = Array(FoldedText(holding.title).words.prefix(40))
    author = Array(FoldedText(holding.author).words.prefix(20))
    mark = holding.mark.map(MarkLetters.of) ?? []
    isbns = Set(holding.isbns)
  }
}

/// The words of a spine, prepared for comparison.
struct ReadSpine {
  /// The words of title and author, which may be in either field.
  let words: [FoldedWord]
  /// The words of everything else.
  let rest: [FoldedWord]
  /// The letters and digits in which a mark is searched: those of all text beside title and author. If there is no such text, those of title and
  /// author, since the mark of a spine that shows nothing else is read as its title.
  let marks: [UInt32]
  /// Whether nothing was read beside title and author. If a mark is then not found, that does not count against a book.
  let isWithoutRest: Bool
  let isbn: String?

  init(_ spine: ShelfSpine) {
    words = Array((FoldedText(spine.title) + FoldedText(spine.author)).words.prefix(60))
    rest = Array(FoldedText(spine.rest).words.prefix(60))
    let beside = MarkLetters.of(spine.rest)
    isWithoutRest = beside.count < 3
    marks = isWithoutRest ? MarkLetters.of("\(spine.title) \(spine.author)") : beside
    isbn = spine.isbn
  }

  var isBlank: Bool { words.isEmpty && rest.isEmpty && isbn == nil }
  var letterCount: Int { words.reduce(0) { $0 + $1.count } }
}

/// The letters of a mark without separators. Letters that a recogniser confuses become equal: O and 0, I, L and 1, S and 5, B and 8, Z and 2.
enum MarkLetters {
  static func of(_ text: String) -> [UInt32] {
    FoldedText(text).words.prefix(60).flatMap(\.letters).map { alike[$0] ?? $0 }
  }

  private static let alike: [UInt32: UInt32] = Dictionary(
    uniqueKeysWithValues: zip("oilsbz".unicodeScalars.map(\.value), "011582".unicodeScalars.map(\.value)))
}

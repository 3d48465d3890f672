import Bibliography

/// The words of a holding, made comparable.
struct HoldingText {
  let title: [FoldedWord]
  let author: [FoldedWord]
  /// Letters and digits of the mark; empty when there is none.
  let mark: [UInt32]
  let isbns: Set<String>

  init(_ holding: Holding) {
    title = Array(FoldedText(holding.title).words.prefix(40))
    author = Array(FoldedText(holding.author).words.prefix(20))
    mark = holding.mark.map(MarkLetters.of) ?? []
    isbns = Set(holding.isbns)
  }
}

/// The words of a spine, made comparable.
struct ReadSpine {
  /// Of title and author, which may stand in either field.
  let words: [FoldedWord]
  /// Of all else.
  let rest: [FoldedWord]
  /// Letters and digits of all that was read beside title and author, in which a mark is looked for; where nothing was, of title and author: of a
  /// spine that shows a mark alone, that is what was read as its title.
  let marks: [UInt32]
  /// Whether there is nothing beside title and author, so that what is no mark does not speak against a book.
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

/// The letters of a mark without what stands between them. What a recogniser confuses is the same: O and 0, I, L and 1, S and 5, B and 8, Z and 2.
enum MarkLetters {
  static func of(_ text: String) -> [UInt32] {
    FoldedText(text).words.prefix(60).flatMap(\.letters).map { alike[$0] ?? $0 }
  }

  private static let alike: [UInt32: UInt32] = Dictionary(
    uniqueKeysWithValues: zip("oilsbz".unicodeScalars.map(\.value), "011582".unicodeScalars.map(\.value)))
}

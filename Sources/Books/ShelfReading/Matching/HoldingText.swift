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
struct SpineText {
  /// Of title and author, which may stand in either field.
  let words: [FoldedWord]
  /// Of all else.
  let rest: [FoldedWord]
  /// Letters and digits of all that was read beside title and author, in which a mark is looked for.
  let marks: [UInt32]
  let isbn: String?

  init(_ spine: ShelfSpine) {
    words = Array((FoldedText(spine.title) + FoldedText(spine.author)).words.prefix(60))
    rest = Array(FoldedText(spine.rest).words.prefix(60))
    marks = MarkLetters.of(spine.rest)
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

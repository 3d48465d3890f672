import Bibliography

/// A reading of a spine, prepared for comparison. Title and author may be in either field.
struct Reading {
  /// The maximum number of letters and digits that are compared.
  static let letterLimit = 300

  let title: FoldedText
  let author: FoldedText
  let whole: FoldedText
  let cover: WordCover
  let numbers: SpineNumbers

  init(title: String, author: String?) {
    self.title = Self.bounded(title)
    self.author = Self.bounded(author ?? "")
    whole = self.title + self.author
    cover = WordCover(whole)
    numbers = SpineNumbers(whole)
  }

  private static func bounded(_ text: String) -> FoldedText {
    var (folded, count) = (FoldedText(String(text.prefix(2 * letterLimit))), 0)
    folded.words = folded.words.prefix { word in
      count += word.count
      return count <= letterLimit
    }.map(\.self)
    return folded
  }
}

import Bibliography

/// What was read on a spine, made comparable. Title and author may stand in either.
struct Reading {
  /// Most letters and digits that are looked at.
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

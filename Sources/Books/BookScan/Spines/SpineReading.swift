/// The lines of one spine → title and author.
struct SpineReading {
  /// Words of titles that are no part of a person's name, in the commonest languages of Latin script.
  private static let titleWords: Set<String> = [
    "the", "a", "an", "of", "and", "in", "on", "to", "for", "with", "from", "at", "is", "my", "your", "how",
    "what", "by",
    "der", "die", "das", "und", "im", "zum", "ein", "eine", "le", "les", "et", "el", "los", "las", "y", "en",
    "il", "per",
    "i", "un", "una", "edition", "guide", "introduction", "press", "books", "volume", "second", "third",
    "new",
  ]

  /// - Parameter lines: of one spine, in reading order.
  /// - Returns: nil when they hold no words.
  func finding(_ lines: [TextLine]) -> SpineFinding? {
    guard let box = Box.around(lines.map(\.region.box)) else { return nil }
    let worded = lines.filter { Self.isWorded($0.text) }
    let letter = worded.map(\.region.height).max() ?? 0
    let titleLines = Self.withoutRepeats(
      lines.filter { Self.isWorded($0.text) || Self.isTitleNumber($0, besides: letter) })
    let (title, author) = split(titleLines)
    guard let main = title.max(by: { $0.region.area < $1.region.area }) else { return nil }
    let letters = titleLines.reduce(0) { $0 + $1.text.count }
    let confidence =
      titleLines.reduce(0) { $0 + $1.confidence * Double($1.text.count) } / Double(max(letters, 1))
    return SpineFinding(
      title: Self.text(title), author: author.isEmpty ? nil : Self.text(author), isbn: nil,
      confidence: confidence,
      box: box, angle: main.region.angle)
  }

  /// Not a shelf mark, a price or a number.
  static func isWorded(_ text: String) -> Bool {
    let letters = text.count(where: \.isLetter)
    return letters >= 2 && letters * 2 > text.count { !$0.isWhitespace }
  }

  /// A year, a span of years, or a number as large as the words: "1984", not a shelf mark or a price.
  /// - Parameter letter: height of the largest words of the spine, pixels; 0 for none.
  static func isTitleNumber(_ line: TextLine, besides letter: Double) -> Bool {
    let digits = line.text.count(where: \.isNumber)
    guard digits > 0, line.text.allSatisfy({ $0.isNumber || $0 == "-" || $0 == "–" }) else { return false }
    if digits <= 4 { return line.text.count == 4 || line.region.height >= 0.7 * letter }
    return digits <= 8 && line.text.count > digits
  }

  /// One round of lines that come again and again: some spines bear the whole title several times, one below the other.
  ///
  /// Only the last round may be incomplete, as where a hand covers the foot of the spine. One line that comes twice stays: "Duran Duran" set
  /// in two lines is a title.
  static func withoutRepeats(_ lines: [TextLine]) -> [TextLine] {
    let texts = lines.map { $0.text.lowercased().filter { $0.isLetter || $0.isNumber } }
    let rounds = (1...max(1, lines.count / 2)).first { length in
      texts.count >= (length == 1 ? 3 : 2 * length)
        && texts.indices.allSatisfy { texts[$0] == texts[$0 % length] }
    }
    return rounds.map { Array(lines.prefix($0)) } ?? lines
  }

  private func split(_ lines: [TextLine]) -> (title: [TextLine], author: [TextLine]) {
    let blocks = Self.blocks(lines)
    let names = blocks.filter { Self.isName(Self.text($0)) }
    // One block that reads like a person beside one that does not.
    guard names.count == 1, blocks.count > 1, let author = names.first else { return (lines, []) }
    return (lines.filter { !author.contains($0) }, author)
  }

  /// Lines of one size that follow each other.
  static func blocks(_ lines: [TextLine]) -> [[TextLine]] {
    var blocks: [[TextLine]] = []
    for line in lines {
      if let last = blocks.last?.last, areOfOneBlock(last, line) {
        blocks[blocks.count - 1].append(line)
      } else {
        blocks.append([line])
      }
    }
    return blocks
  }

  private static func areOfOneBlock(_ first: TextLine, _ second: TextLine) -> Bool {
    let (small, large) = (
      min(first.region.height, second.region.height), max(first.region.height, second.region.height)
    )
    let frame = SpineFrame(along: first.region.along)
    let (a, b) = (frame.extent(first.region), frame.extent(second.region))
    return large < 1.35 * small && TextRegion.difference(first.region.angle, second.region.angle) < 20
      && (a.along.share(b.along) > 0.4 || -a.along.overlap(b.along) < 0.8 * small)
  }

  /// Two to four capitalised words without digits, none of which only titles have.
  static func isName(_ text: String) -> Bool {
    let words = text.split(separator: " ")
    guard (2...4).contains(words.count), !text.contains(where: \.isNumber) else { return false }
    return words.allSatisfy { word in
      (word.first?.isUppercase ?? false) && !titleWords.contains(word.lowercased())
    }
  }

  private static func text(_ lines: [TextLine]) -> String { bare(lines.map(\.text).joined(separator: " ")) }

  /// Without strokes at its ends that are no letters: the edge of a book and a crease are read as slashes and bars, an ornament as a dot.
  static func bare(_ text: String) -> String {
    let words = text.split(separator: " ")
    let isOrnament = { (word: Substring) in
      word.allSatisfy { strokes.contains($0) || "·•–—-_~.,:;'‘’`\"*°<>=^".contains($0) }
    }
    let kept = words.drop(while: isOrnament)
    let end = kept.lastIndex { !isOrnament($0) }
    guard let end else { return text }
    let line = kept[...end].joined(separator: " ").drop { strokes.contains($0) }
    return String(line.dropLast(line.reversed().prefix { strokes.contains($0) }.count))
  }

  private static let strokes: Set<Character> = ["/", "\\", "|"]
}

/// The texts of all spines of a photo, for comparisons: repeated texts, the size of letters, and how far the spines reach.
struct ShelfText {
  struct Spine {
    /// The lines in reading order, without repeats.
    let lines: [TextLine]
    /// For each line its words.
    let words: [[SpineWord]]
    let main: TextLine
    let frame: SpineFrame
    /// The extent of each line, along and across the longest line.
    let extents: [SpineFrame.Extent]
    let isStanding: Bool
    /// The box of each line, including repeats.
    let box: [Box]

    init?(_ group: SpineGroup) {
      let lines = SpineReading.withoutRepeats(group.lines)
      let place = lines.indices.max { lines[$0].region.length < lines[$1].region.length }
      guard let main = place.map({ lines[$0] }) else { return nil }
      (self.lines, self.main) = (lines, main)
      box = group.lines.map(\.region.box)
      words = lines.enumerated().map { SpineWord.words($1, place: $0) }
      let line = ShelfLine(main)
      (frame, isStanding) = (line.frame, line.isStanding)
      extents = lines.map { [frame] in frame.extent($0.region) }
    }

    /// The lines that have words, not only numbers or signs.
    var worded: [TextLine] { lines.filter { SpineReading.isWorded($0.text) } }

    var along: ClosedRange<Double> {
      extents.dropFirst().reduce(extents.first?.along ?? 0...0) { $0.union($1.along) }
    }
  }

  /// The number of spines that have a line, by the line's letters and digits.
  private var lines: [String: Int] = [:]
  /// The number of spines that have a word, by the word.
  private var words: [String: Int] = [:]
  private let spines: [Spine]
  /// Median height of the lines, pixels.
  let height: Double

  init(_ spines: [Spine]) {
    self.spines = spines
    let heights = spines.flatMap { $0.lines.map(\.region.height) }.sorted()
    height = heights.isEmpty ? 1 : heights[heights.count / 2]
    for spine in spines {
      for text in Set(spine.lines.map { Self.letters($0.text) }) { lines[text, default: 0] += 1 }
      for word in Set(spine.words.joined().map(\.core)) { words[word, default: 0] += 1 }
    }
  }

  /// Returns the number of other spines with the same line.
  func copies(of line: TextLine) -> Int { max(0, (lines[Self.letters(line.text)] ?? 1) - 1) }

  /// Returns the number of other spines with the same word.
  func copies(of word: SpineWord) -> Int { max(0, (words[word.core] ?? 1) - 1) }

  /// Estimates the range of the spine along itself: from the lower quartile of the beginnings of its text and the texts beside it
  /// to the upper quartile of their ends, and at least over all of its own text. For a horizontal spine, only its own text counts.
  func band(of spine: Spine) -> ClosedRange<Double> {
    guard spine.isStanding else { return spine.along }
    let around = spines.filter { other in
      other.isStanding && abs(other.frame.along.cross(spine.frame.along)) < 0.25
        && spine.along.overlap(other.along) > 0.3 * min(spine.along.length, other.along.length)
    }.map(\.along)
    let (lows, highs) = (around.map(\.lowerBound).sorted(), around.map(\.upperBound).sorted())
    guard !lows.isEmpty else { return spine.along }
    let (low, high) = (lows[lows.count / 4], highs[highs.count * 3 / 4])
    return spine.along.union(min(low, high)...max(low, high))
  }

  private static func letters(_ text: String) -> String {
    TitleScore.folded(text.filter { $0.isLetter || $0.isNumber })
  }
}

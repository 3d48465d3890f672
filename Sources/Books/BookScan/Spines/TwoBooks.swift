/// Groups that hold two books without an edge between them.
extension SpineGrouping {
  /// Splits a group into two books if a cut along the spine leaves a title and a person's name on either side, and the grounds or
  /// the letters of the two sides differ in colour. Names alone decide nothing: a title of two lines with two authors looks the
  /// same. A group with a text on both sides is one spine that repeats its text; copies were separated before.
  func parted(_ group: [Int]) -> [[Int]] {
    let worded = group.filter { SpineReading.isWorded(shelf.lines[$0].line.text) }
    guard worded.count >= 4, let main = longest(worded) else { return [group] }
    let frame = shelf.lines[main].frame
    let across = group.map { frame.extent(shelf.lines[$0].line.region).across }
    let places = Dictionary(uniqueKeysWithValues: zip(group, across))
    let middle = { (line: Int) in places[line]?.middle ?? 0 }
    let ordered = worded.sorted { middle($0) < middle($1) }
    for count in 2...(ordered.count - 2) {
      let sides = [Array(ordered[..<count]), Array(ordered[count...])]
      let end = sides[0].compactMap { places[$0]?.upperBound }.max() ?? 0
      let begin = sides[1].compactMap { places[$0]?.lowerBound }.min() ?? 0
      guard end - begin < 0.25 * thinnest(worded), areTwoBooks(sides) else { continue }
      return [
        group.filter { middle($0) < (end + begin) / 2 }, group.filter { middle($0) >= (end + begin) / 2 },
      ]
    }
    return [group]
  }

  private func longest(_ lines: [Int]) -> Int? {
    lines.max { shelf.lines[$0].line.region.length < shelf.lines[$1].line.region.length }
  }

  private func thinnest(_ lines: [Int]) -> Double {
    lines.map { shelf.lines[$0].line.region.height }.min() ?? 0
  }

  private func areTwoBooks(_ sides: [[Int]]) -> Bool {
    let texts = sides.map { Set($0.map { shelf.lines[$0].line.text }) }
    guard texts[0].isDisjoint(with: texts[1]) else { return false }
    let books = sides.compactMap(book)
    guard books.count == 2 else { return false }
    let titles = books.map { shelf.grounds[$0.title] }
    if titles[0].difference(titles[1]) > grounds.alike { return true }
    let letters = books.map { (title: ink($0.title), name: ink($0.name)) }
    let between = letters[0].title.difference(letters[1].title)
    return between > grounds.letters && letters.allSatisfy { $0.title.difference($0.name) < between / 2 }
  }

  /// Returns the longest line that is no person's name, and the longest line that is one; nil if either is missing.
  private func book(_ lines: [Int]) -> (title: Int, name: Int)? {
    let names = lines.filter { isName($0) }
    guard let name = longest(names), let title = longest(lines.filter { !names.contains($0) }) else {
      return nil
    }
    return (title, name)
  }

  /// Returns the colour of a line's letters.
  private func ink(_ line: Int) -> GroundColor {
    GroundColor(
      lettersOf: shelf.lines[line].line.region, on: shelf.grounds[line], in: shelf.edges.photo)
  }

  /// Whether a line has at most four words that could all be part of a person's name, one of them a known given name or surname.
  private func isName(_ line: Int) -> Bool {
    let words = SpineWord.words(shelf.lines[line].line, place: 0).map { WordMeasure($0) }
    return words.count <= 4 && words.contains { $0.isGiven || $0.isSurname }
      && words.allSatisfy {
        ($0.isNamelike || $0.isInitial || $0.isJoining) && !$0.isPublisher && !$0.hasDigit
      }
  }
}

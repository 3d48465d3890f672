/// Lines with shelf marks. Each book of a library has one mark, so two neighbouring marks are never joined into one book.
extension SpineGrouping {
  func shelfMarks() -> [Int] {
    shelf.lines.indices.filter { ShelfMark.isSure(SpineWord.words(shelf.lines[$0].line, place: 0)) }
  }

  /// Returns the line that a mark belongs to: the line on the same spine that is best aligned with the mark.
  func line(of mark: Int, _ marks: [Int]) -> Int? {
    shelf.lines[mark].isStanding ? followed(by: mark, marks) : crossed(by: mark)
  }

  /// Returns the lines of labels among standing books: horizontal lines of a few letters and digits. The pieces of a mark are printed
  /// one below the other.
  func labels() -> [Int] {
    guard !shelf.isStack else { return [] }
    return shelf.lines.indices.filter {
      !shelf.lines[$0].isStanding && ShelfMark.isPiece(SpineWord.words(shelf.lines[$0].line, place: 0))
    }
  }

  /// Returns pairs of shelf marks that are side by side at one height, in any reading direction.
  func neighbours(_ marks: [Int]) -> [(Int, Int)] { pairs(of: marks, where: areLevel) }

  /// Returns pairs of label lines that are side by side at one height, with a gap wider than the height of the smaller line.
  func neighbouringLabels() -> [(Int, Int)] {
    pairs(of: labels()) { first, second in
      let (a, b) = (shelf.lines[first].line.region.box, shelf.lines[second].line.region.box)
      return areLevel(first, second) && -(a.x...a.maxX).overlap(b.x...b.maxX) > min(a.height, b.height)
    }
  }

  private func pairs(of lines: [Int], where areApart: (Int, Int) -> Bool) -> [(Int, Int)] {
    lines.indices.flatMap { first in
      lines[(first + 1)...].filter { areApart(lines[first], $0) }.map { (lines[first], $0) }
    }
  }

  private func areLevel(_ first: Int, _ second: Int) -> Bool {
    if shelf.lines[first].isStanding, shelf.lines[second].isStanding { return areSideBySide(first, second) }
    let (a, b) = (shelf.lines[first].line.region.box, shelf.lines[second].line.region.box)
    return (a.y...a.maxY).share(b.y...b.maxY) > 0.5 && (a.x...a.maxX).share(b.x...b.maxX) < 0.3
  }

  private func followed(by mark: Int, _ marks: [Int]) -> Int? {
    let candidates = shelf.lines.indices.filter {
      $0 != mark && !marks.contains($0) && shelf.lines[$0].isStanding && areTogether(mark, $0)
    }
    return candidates.min { offset($0, mark) < offset($1, mark) }
  }
}

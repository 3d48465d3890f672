/// The evidence that a group of lines is the text of a book, not a sign, a cover or a scrap.
struct SpineEvidence {
  let shelf: Shelf
  /// The least colour step, 0…255, of the long edge that a spine has on at least one side.
  var leastFlank = 7
  /// The least colour step, 0…255, of the two edges beside horizontal text on a standing spine.
  var leastSides = 8
  /// The distance from the photo's border within which text counts as cut off, as a share of the photo's longer side.
  var border = 0.01

  /// Whether a group is not cut off by the photo's border and, among standing books, is not a sign.
  func isWhole(_ group: SpineGroup, among groups: [SpineGroup]) -> Bool {
    guard let main = group.main, !isCutOff(group, main) else { return false }
    if shelf.isStack || !group.isLying || liesAcrossSpine(group, main) { return true }
    return groups.contains { isPiled(group, main, on: $0) }
  }

  /// Whether a group of at least three words lies right above or below another such group of similar size, as in a pile of books.
  private func isPiled(_ group: SpineGroup, _ main: TextLine, on other: SpineGroup) -> Bool {
    guard other.isLying, let otherMain = other.main, group.lines != other.lines else { return false }
    guard Self.words(group) >= 3, Self.words(other) >= 3 else { return false }
    let (small, large) = (
      min(main.region.height, otherMain.region.height), max(main.region.height, otherMain.region.height)
    )
    guard large < 1.6 * small,
      TextRegion.difference(main.region.angle, otherMain.region.angle) < 10
    else { return false }
    let frame = ShelfLine(main).frame
    let (a, b) = (group.extent(frame), other.extent(frame))
    return a.along.share(b.along) > 0.6 && -a.across.overlap(b.across) < 2 * large
  }

  private static func words(_ group: SpineGroup) -> Int {
    group.lines.reduce(0) { $0 + $1.text.split(separator: " ").count }
  }

  /// Whether a long edge runs along a group on at least one side. The edge must be within twice the height of the group's longest
  /// line, or within the group's own thickness if that is more.
  func hasFlank(_ group: SpineGroup) -> Bool {
    guard let main = group.main else { return false }
    let frame = ShelfLine(main).frame
    let body = frame.extent(main.region)
    let across = group.extent(frame).across
    let reach = max(2 * body.across.length, across.length)
    let step = 0.06 * body.across.length
    let sides = [
      (across.lowerBound - reach)...(across.lowerBound + 2 * step),
      (across.upperBound - 2 * step)...(across.upperBound + reach),
    ]
    return sides.contains {
      shelf.edges.isEdge(.init(frame: frame, along: body.along, across: $0, reach: step), step: leastFlank)
    }
  }

  /// Whether a group of one or two words touches the photo's border.
  private func isCutOff(_ group: SpineGroup, _ main: TextLine) -> Bool {
    guard Self.words(group) < 3 else { return false }
    let (box, photo) = (main.region.box, shelf.edges.photo)
    let margin = border * Double(max(photo.width, photo.height))
    let (low, high, side) =
      ShelfLine(main).isStanding
      ? (box.y, box.maxY, Double(photo.height)) : (box.x, box.maxX, Double(photo.width))
    return low < margin || high > side - margin
  }

  /// Whether horizontal text among standing books is a title: the text is level with one of the rows, has more words than a name, and has the
  /// two edges of a spine beside it. Otherwise it is a sign, a cover or a page.
  private func liesAcrossSpine(_ group: SpineGroup, _ main: TextLine) -> Bool {
    if group.lines.count == 1, main.text.split(separator: " ").count < 3 { return false }
    guard hasSides(group, main) else { return false }
    guard let row = group.row else { return !shelf.lines.contains { $0.isStanding } }
    return isLevel(group, with: row)
  }

  private func hasSides(_ group: SpineGroup, _ main: TextLine) -> Bool {
    let frame = ShelfLine(main).frame
    let extent = group.extent(frame)
    guard extent.along.length < 1.2 * shelf.longText else { return true }
    let beyond = max(extent.along.length, extent.across.length) / 2
    let letter = group.lines.map(\.region.height).max() ?? 0
    let reach = 0.6 * extent.along.length + letter
    // The edges run across the text, so the strip's direction across is the text's direction along.
    let turned = SpineFrame(along: frame.across)
    let (left, right) = (-extent.along.lowerBound, -extent.along.upperBound)
    return [(left - 0.1 * letter)...(left + reach), (right - reach)...(right + 0.1 * letter)].allSatisfy {
      shelf.edges.isLongEdge(
        .init(
          frame: turned,
          along: (extent.across.lowerBound - beyond)...(extent.across.upperBound + beyond), across: $0,
          reach: 0.05 * letter), step: leastSides)
    }
  }

  private func isLevel(_ group: SpineGroup, with row: Int) -> Bool {
    guard let box = Box.around(group.lines.map(\.region.box)) else { return false }
    let middle = Point(x: box.x + box.width / 2, y: box.y + box.height / 2)
    let members = shelf.standing(row: row).map(\.line.region.box)
    let near = members.filter { abs($0.x + $0.width / 2 - middle.x) < shelf.rows.length(row: row) }
    guard let around = Box.around(near.isEmpty ? members : near) else { return true }
    return middle.y <= around.maxY && middle.y >= around.y - 0.2 * around.height
  }
}

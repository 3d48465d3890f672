import BookScan

/// How the text of a book lies, by which its spine is told from its cover: both bear the same words, and look different.
struct SpineShape: Sendable {
  private let angle: Double
  /// Length of the text by its height.
  private let slimness: Double

  init(_ spine: SpineFinding) { self.init(box: spine.box, angle: spine.angle) }

  init(box: Box, angle: Double) {
    self.angle = angle
    let thickness = box.thickness(angle)
    slimness = (box.width + box.height - thickness) / max(thickness, 1)
  }

  /// Whether one is the cover where the other is the spine: on a cover the words stand in several lines, and on one book the two run in
  /// different directions, where both are seen at once. Two copies of one book stand alike.
  func isOtherSide(of other: SpineShape) -> Bool {
    isAcross(other) || max(slimness, other.slimness) > 2.5 * min(slimness, other.slimness)
  }

  /// Whether the two texts run in different directions: more than 30 degrees off.
  func isAcross(_ other: SpineShape) -> Bool {
    let turn = abs(angle - other.angle).truncatingRemainder(dividingBy: 180)
    return turn.isFinite && min(turn, 180 - turn) > 30
  }
}

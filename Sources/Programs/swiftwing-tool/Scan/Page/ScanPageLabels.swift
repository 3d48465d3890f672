import BookScan
import Imagery

/// The positions of the numbers on a page: in the middle of each outline's upper edge, or further down if another number is in the way.
struct ScanPageLabels {
  /// For each outline, the middle of its number's baseline, pixels of the photo.
  private(set) var places: [Point] = []

  /// Returns the height of a number, pixels of the photo. On a telephone it is 9 pixels high.
  static func letter(_ size: PixelSize) -> Int { max(1, size.width / 38) }

  /// Finds the positions.
  /// - Parameter outlines: the number of each outline as it is shown, and its corners.
  init(_ outlines: [(mark: String, corners: [Point])], on size: PixelSize) {
    let letter = Double(Self.letter(size))
    var taken: [Box] = []
    for (mark, corners) in outlines {
      // A digit of a monospaced typeface is about 0.6 of its height wide; 0.2 is the space between two numbers.
      let width = (0.6 * Double(mark.count) + 0.2) * letter
      let boxes = Self.candidates(corners, letter, on: size).map { foot in
        Box(x: foot.x - width / 2, y: foot.y - 0.8 * letter, width: width, height: letter)
      }
      let best =
        boxes.first { box in taken.allSatisfy { Self.common(box, $0) == 0 } }
        ?? boxes.min { Self.hidden($0, taken) < Self.hidden($1, taken) }
      guard let best else {
        places.append(Point(x: 0, y: letter))
        continue
      }
      taken.append(best)
      places.append(Point(x: best.x + width / 2, y: best.y + 0.8 * letter))
    }
  }

  /// Returns positions from the middle of the upper edge down along the spine, then below it.
  private static func candidates(_ corners: [Point], _ letter: Double, on size: PixelSize) -> [Point] {
    let byHeight = corners.filter { $0.x.isFinite && $0.y.isFinite }.sorted { $0.y < $1.y }
    guard let top = byHeight.first, let foot = byHeight.last else { return [] }
    func middle(_ points: some Collection<Point>) -> Double {
      points.reduce(0) { $0 + $1.x } / Double(max(1, points.count))
    }
    let (upper, lower) = (middle(byHeight.prefix(2)), middle(byHeight.suffix(2)))
    let steps = Int(min(max((foot.y - top.y) / letter, 0), 60)) + 3
    return (0...steps).map { step in
      let y = top.y + Double(step + 1) * letter
      let share = min(1, max(0, (y - top.y) / max(1, foot.y - top.y)))
      return Point(
        x: min(max(upper + (lower - upper) * share, letter), Double(size.width) - letter),
        y: min(max(y, letter), Double(size.height) - 0.2 * letter))
    }
  }

  private static func hidden(_ box: Box, _ taken: [Box]) -> Double {
    taken.reduce(0) { $0 + common(box, $1) }
  }

  private static func common(_ one: Box, _ other: Box) -> Double {
    let across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    let down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return max(0, across) * max(0, down)
  }
}

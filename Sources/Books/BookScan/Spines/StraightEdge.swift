/// Straight edges that run past two lines of text, at any small angle to them.
///
/// A spine's side is straight in a photo. Every straight line through the strip is tried (a Hough transform over place and slope:
/// Duda and Hart, CACM 15(1), 1972), for the text beside it is a degree or two off.
extension EdgeMeasure {
  /// An edge may lean by so much against the strip.
  private static let lean = 0.04
  /// The step is there at this share of the text
  private static let shareOfText = 0.75
  /// and at this share of the whole strip.
  private static let shareOfWhole = 0.7
  /// Most samples along the strip, and most places across it.
  private static let most = (rows: 128, columns: 400)
  /// Added to every brightness before it is compared, 0…255, so that the grain of black is no edge.
  private static let floor = 64

  /// Whether a straight edge runs along the strip and crosses its middle within it.
  /// - Parameters:
  ///   - text: the part of the strip, along it, where the text is.
  ///   - step: of the three colours the largest difference, relative to how bright the place is: see `contrast`.
  func isStraightEdge(_ strip: Strip, text: ClosedRange<Double>, step: Int) -> Bool {
    let drift = Self.lean * strip.along.length / 2
    let reach = max(1, strip.reach)
    let width = strip.across.length + 2 * drift
    let pitch = max(1, reach / 2, width / Double(Self.most.columns - 1))
    let steps = Steps(
      rows: max(16, min(Self.most.rows, Int(strip.along.length / 3))), columns: Int(width / pitch) + 1)
    let low = strip.across.lowerBound - drift
    var hits = [Bool](repeating: false, count: steps.rows * steps.columns)
    var texts = [Bool](repeating: false, count: steps.rows)
    for row in 0..<steps.rows {
      let t = strip.along.lowerBound + (Double(row) + 0.5) * strip.along.length / Double(steps.rows)
      texts[row] = text.contains(t)
      for column in 0..<steps.columns {
        let s = low + Double(column) * pitch
        hits[row * steps.columns + column] =
          contrast(
            strip.frame.point(along: t, across: s - reach), strip.frame.point(along: t, across: s + reach))
          >= step
      }
    }
    let places = Int(drift / pitch)...max(Int(drift / pitch), Int((drift + strip.across.length) / pitch))
    let slopes = max(1, Int(2 * drift / pitch))
    return (-slopes...slopes).contains { slope in
      let offsets = (0..<steps.rows).map {
        Int((Double(slope) * (Double($0) / Double(steps.rows) - 0.5)).rounded())
      }
      return places.contains { steps.runs(hits, texts, from: $0, offsets) }
    }
  }

  /// Samples of a strip: rows along it, columns across it.
  private struct Steps {
    var rows: Int
    var columns: Int

    /// Whether enough of a line's samples have the step; the line goes through a column and `offsets` from it.
    func runs(_ hits: [Bool], _ texts: [Bool], from column: Int, _ offsets: [Int]) -> Bool {
      let inText = texts.count { $0 }
      var misses = rows - Int((EdgeMeasure.shareOfWhole * Double(rows)).rounded(.up))
      var textMisses = inText - Int((EdgeMeasure.shareOfText * Double(inText)).rounded(.up))
      for row in 0..<rows {
        let place = column + offsets[row]
        if place >= 0, place < columns, hits[row * columns + place] { continue }
        misses -= 1
        if texts[row] { textMisses -= 1 }
        if misses < 0 || textMisses < 0 { return false }
      }
      return true
    }
  }

  /// Largest difference of the three colours, as large as it would be at a brightness of 128, so 0…765: the shadow between two dark spines is
  /// only a few levels deep.
  @inline(__always)
  private func contrast(_ left: Point, _ right: Point) -> Int {
    let (a, b) = (pixel(left), pixel(right))
    var largest = 0
    for color in 0..<3 {
      let (x, y) = (Int(a[color]), Int(b[color]))
      largest = max(largest, abs(x - y) * 2 * (128 + Self.floor) / (x + y + 2 * Self.floor))
    }
    return largest
  }
}

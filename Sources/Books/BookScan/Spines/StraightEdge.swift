/// Looks for straight edges that run past two lines of text, at any small angle to them.
///
/// A spine's side is straight in a photo, but the text beside it is a degree or two off. So every straight line through the strip
/// is tried (a Hough transform over place and slope: Duda and Hart, CACM 15(1), 1972).
extension EdgeMeasure {
  /// The greatest slope of an edge against the strip.
  private static let lean = 0.04
  /// The least share of the rows beside the text that must show the step.
  private static let shareOfText = 0.75
  /// The least share of all rows of the strip that must show the step.
  private static let shareOfWhole = 0.7
  /// The greatest number of samples along the strip (rows) and across it (columns).
  private static let most = (rows: 128, columns: 400)
  /// Added to every brightness (0…255) before the comparison, so that noise in black areas is no edge.
  private static let floor = 64

  /// Whether a straight edge runs along the strip at any small angle, and lies within the strip at the middle of its length.
  /// - Parameters:
  ///   - text: the range along the strip that holds the text.
  ///   - step: the least step: the largest difference among the three colours, relative to the local brightness; see `isStep`.
  func isStraightEdge(_ strip: Strip, text: ClosedRange<Double>, step: Int) -> Bool {
    let drift = Self.lean * strip.along.length / 2
    let reach = max(1, strip.reach)
    let width = strip.across.length + 2 * drift
    let pitch = max(1, reach / 2, width / Double(Self.most.columns - 1))
    var samples = Samples(
      rows: max(16, min(Self.most.rows, Int(strip.along.length / 3))), columns: Int(width / pitch) + 1)
    let low = strip.across.lowerBound - drift
    take(&samples, of: strip, from: low, pitch: pitch, reach: reach, text: text, step: step)
    guard samples.isPossible else { return false }
    let places = Int(drift / pitch)...max(Int(drift / pitch), Int((drift + strip.across.length) / pitch))
    let slopes = max(1, Int(2 * drift / pitch))
    return (-slopes...slopes).contains { slope in
      let offsets = (0..<samples.rows).map {
        Int((Double(slope) * (Double($0) / Double(samples.rows) - 0.5)).rounded())
      }
      return places.contains { samples.run(from: $0, offsets) }
    }
  }

  /// Records for each sample of the strip whether it has the step.
  private func take(
    _ samples: inout Samples, of strip: Strip, from low: Double, pitch: Double, reach: Double,
    text: ClosedRange<Double>, step: Int
  ) {
    let (along, across) = (strip.frame.along, strip.frame.across)
    let sides = (0..<samples.columns).map { column in
      let s = low + Double(column) * pitch
      return (left: across * (s - reach), right: across * (s + reach))
    }
    for row in 0..<samples.rows {
      let t = strip.along.lowerBound + (Double(row) + 0.5) * strip.along.length / Double(samples.rows)
      let place = along * t
      samples.add(isText: text.contains(t), sides.map { isStep(place + $0.left, place + $0.right, step) })
    }
  }

  /// Samples of a strip: rows along it, columns across it.
  private struct Samples {
    let rows: Int
    let columns: Int
    /// Whether each sample has the step, row by row.
    private var hits: [Bool] = []
    /// The open rows, which are the rows with a step in any column. `isText` tells whether the row is beside
    /// the text.
    private var open: [(row: Int, isText: Bool)] = []
    private var textRows = 0
    private var openText = 0

    init(rows: Int, columns: Int) {
      (self.rows, self.columns) = (rows, columns)
      hits.reserveCapacity(rows * columns)
    }

    mutating func add(isText: Bool, _ steps: [Bool]) {
      if isText { textRows += 1 }
      if steps.contains(true) {
        open.append((hits.count / columns, isText))
        if isText { openText += 1 }
      }
      hits += steps
    }

    /// The numbers of rows that may lack the step on a line if the line is to be an edge: of all open rows (`rows`), and of the
    /// open rows beside the text (`text`). Rows that are not open lack the step anyway.
    private var spare: (rows: Int, text: Int) {
      (
        open.count - Int((EdgeMeasure.shareOfWhole * Double(rows)).rounded(.up)),
        openText - Int((EdgeMeasure.shareOfText * Double(textRows)).rounded(.up))
      )
    }

    /// Whether an edge is possible: enough rows, and enough rows beside the text, have a step at any column.
    var isPossible: Bool { spare.rows >= 0 && spare.text >= 0 }

    /// Whether a line is an edge: enough rows have the step on it. In each row the line is at `column` plus the row's offset.
    func run(from column: Int, _ offsets: [Int]) -> Bool {
      var spare = spare
      for (row, isText) in open {
        let place = column + offsets[row]
        if place >= 0, place < columns, hits[row * columns + place] { continue }
        spare.rows -= 1
        if isText { spare.text -= 1 }
        if spare.rows < 0 || spare.text < 0 { return false }
      }
      return true
    }
  }

  /// Whether two points differ by a step in one of the three colours. The difference is scaled to a brightness of 128, so its
  /// range is 0…765: the shadow between two dark spines is only a few levels deep.
  @inline(__always)
  private func isStep(_ left: Point, _ right: Point, _ step: Int) -> Bool {
    let (a, b) = (pixel(left), pixel(right))
    for color in 0..<3 {
      let (x, y) = (Int(a[color]), Int(b[color]))
      if abs(x - y) * 2 * (128 + Self.floor) >= step * (x + y + 2 * Self.floor) { return true }
    }
    return false
  }
}

import Bibliography
import BookScan
import ShelfReading

/// Joins the spines of photographs into one line, for a comparison with a list.
struct ShelfPhotographs {
  /// The place of a spine in the photographs.
  struct Spot: Encodable, Equatable {
    var photo: String
    /// The row in the photo, from the top, from 1.
    var row: Int
    /// The position in the row, from the left, from 1; nil for a gap in which nothing was read.
    var book: Int?
    /// The numbers, on the page, of the photograph and of the outline in it, both from 1.
    var page: (photo: Int, outline: Int)?

    enum CodingKeys: CodingKey { case photo, row, book }

    static func == (one: Spot, other: Spot) -> Bool {
      (one.photo, one.row, one.book) == (other.photo, other.row, other.book)
    }
  }

  private(set) var spines: [ShelfSpine] = []
  private(set) var spots: [Spot] = []
  private var photos = 0
  private var rows = 0

  mutating func add(_ photo: String, _ findings: PhotoFindings) {
    photos += 1
    let all = findings.spines + findings.unlikely
    let numbers = Dictionary(uniqueKeysWithValues: zip(ShelfOrder.places(all), 1...))
    let ordered = ShelfOrder.rows(all.map(\.box)) { all[$0].certainty != .unlikely }
    for (row, places) in ordered.enumerated() {
      rows += 1
      let places = Self.standing(places, all)
      let pitch = Self.pitch(places.map { Self.span(all[$0]) })
      var (last, book): (ClosedRange<Double>?, Int) = (nil, 0)
      for place in places {
        let span = Self.span(all[place])
        if let last, let pitch, Self.hasRoom(between: last, span, pitch: pitch) {
          spines.append(ShelfSpine(legibility: .unread, row: rows))
          spots.append(Spot(photo: photo, row: row + 1))
        }
        last = span
        let isBook = all[place].certainty != .unlikely
        if isBook { book += 1 }
        spines.append(Self.spine(all[place], row: rows))
        let page = numbers[place].map { (photos, $0) }
        spots.append(Spot(photo: photo, row: row + 1, book: isBook ? book : nil, page: page))
      }
    }
  }

  /// Leaves out records that are probably no books and lie on a book's spine, because such records are parts of the spine.
  private static func standing(_ places: [Int], _ all: [SpineFinding]) -> [Int] {
    let books = places.filter { all[$0].certainty != .unlikely }.map { span(all[$0]) }
    return places.filter { place in
      let span = span(all[place])
      let middle = (span.lowerBound + span.upperBound) / 2
      return all[place].certainty != .unlikely || !books.contains { $0.contains(middle) }
    }
  }

  private static func spine(_ finding: SpineFinding, row: Int) -> ShelfSpine {
    let rest = finding.parts.filter { $0.role == .other }.map(\.text).joined(separator: " ")
    return ShelfSpine(
      title: finding.title, author: finding.author ?? "", rest: CleanText.line(rest), isbn: finding.isbn,
      legibility: finding.certainty == .sure ? .read : .doubtful, row: row)
  }

  /// Returns the horizontal range of a spine.
  private static func span(_ finding: SpineFinding) -> ClosedRange<Double> {
    let edges = finding.outline.map(\.x) + [finding.box.x, finding.box.x + finding.box.width]
    let (left, right) = (edges.min() ?? 0, edges.max() ?? 0)
    return left.isFinite && right.isFinite ? left...right : 0...0
  }

  /// Returns the median distance between the middles of neighbouring spines; nil for fewer than three spines.
  private static func pitch(_ spans: [ClosedRange<Double>]) -> Double? {
    guard spans.count >= 3 else { return nil }
    let middles = spans.map { ($0.lowerBound + $0.upperBound) / 2 }
    let steps = zip(middles.dropFirst(), middles).map { $0 - $1 }.sorted()
    return steps[steps.count / 2]
  }

  /// Whether there is room between two spines for a spine that was not read.
  private static func hasRoom(
    between one: ClosedRange<Double>, _ other: ClosedRange<Double>, pitch: Double
  ) -> Bool {
    let step = (other.lowerBound + other.upperBound - one.lowerBound - one.upperBound) / 2
    return step > 1.6 * pitch && other.lowerBound - one.upperBound > 0.5 * pitch
  }
}

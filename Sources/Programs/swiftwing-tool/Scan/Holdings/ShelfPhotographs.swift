import Bibliography
import BookScan
import ShelfReading

/// Photographs as one line of spines, for a comparison with a list.
struct ShelfPhotographs {
  /// Where a spine is seen.
  struct Spot: Encodable, Equatable {
    var photo: String
    /// From the top, from 1.
    var row: Int
    /// In its row, from the left, from 1; nil for room in which nothing was read.
    var book: Int?
    /// Of the photograph, from 1, and of the outline in it, as the page numbers them.
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
    for (row, places) in ShelfOrder.rows(all.map(\.box)).enumerated() {
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

  /// Without what is probably no book and lies on a spine that is one: a part of it.
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

  /// From the left edge to the right one.
  private static func span(_ finding: SpineFinding) -> ClosedRange<Double> {
    let edges = finding.outline.map(\.x) + [finding.box.x, finding.box.x + finding.box.width]
    let (left, right) = (edges.min() ?? 0, edges.max() ?? 0)
    return left.isFinite && right.isFinite ? left...right : 0...0
  }

  /// From the middle of one spine to that of the next, as most of a row have it; nil where there are too few to say.
  private static func pitch(_ spans: [ClosedRange<Double>]) -> Double? {
    guard spans.count >= 3 else { return nil }
    let middles = spans.map { ($0.lowerBound + $0.upperBound) / 2 }
    let steps = zip(middles.dropFirst(), middles).map { $0 - $1 }.sorted()
    return steps[steps.count / 2]
  }

  /// Whether a spine of which nothing was read may stand between two others.
  private static func hasRoom(
    between one: ClosedRange<Double>, _ other: ClosedRange<Double>, pitch: Double
  ) -> Bool {
    let step = (other.lowerBound + other.upperBound - one.lowerBound - one.upperBound) / 2
    return step > 1.6 * pitch && other.lowerBound - one.upperBound > 0.5 * pitch
  }
}

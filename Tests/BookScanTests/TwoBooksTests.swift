import Testing

@testable import BookScan

@Suite("Two books that no edge divides")
struct TwoBooksTests {
  private typealias Color = (UInt8, UInt8, UInt8)
  private static let (red, blue): (Color, Color) = ((40, 40, 200), (200, 60, 40))

  /// Returns the groups of lines of two spines side by side. Each spine has a title and a name below it; the spines are 26 pixels
  /// apart.
  /// - Parameters:
  ///   - darker: the levels by which the second ground is darker; the change is gradual.
  ///   - inks: the colours of the two spines' letters; nil to draw no letters.
  private static func groups(
    darker: Double = 0, inks: [Color]? = nil, names: [String] = ["Mary Johnson", "ROBERT WILSON"]
  )
    throws -> Set<Set<String>>
  {
    let photo = try shelf(Array(repeating: red, count: 4), gap: 0) { x, y in
      let isLetter = y % 6 < 3 && (60..<390).contains(y) && ((24..<32).contains(x) || (50..<58).contains(x))
      if let inks, isLetter { return inks[x < 41 ? 0 : 1] }
      let share = min(1, max(0, (Double(x) - 35) / 12))
      return (red.0, red.1, UInt8(200 - darker * share))
    }
    let titles = zip([28.0, 54], ["THE SILENT RIVER", "ON HARBOURS"]).map {
      line($1, x: $0, y: 140, length: 160)
    }
    let authors = zip([28.0, 54], names).map { line($1, x: $0, y: 310, length: 120) }
    let grouping = SpineGrouping(shelf: Shelf(photo: photo.raster, lines: titles + authors))
    return Set(grouping.groups().map { Set($0.lines.map(\.text)) })
  }

  private static let apart: Set<Set<String>> = [
    ["THE SILENT RIVER", "Mary Johnson"], ["ON HARBOURS", "ROBERT WILSON"],
  ]

  @Test("A title and a name on both sides are two books if their backgrounds differ")
  func grounds() throws {
    #expect(try Self.groups(darker: 40) == Self.apart)
    #expect(try Self.groups(darker: 0).count == 1)
    #expect(try Self.groups(darker: 40, names: ["OF ANCIENT", "HOUSES"]).count == 1)
    // A text that is repeated belongs to one spine.
    #expect(try Self.groups(darker: 40, names: ["SMITH", "SMITH"]).count == 1)
  }

  @Test("They are two books if the letters on the two sides differ in colour")
  func letters() throws {
    #expect(try Self.groups(inks: [(250, 250, 250), (10, 10, 10)]) == Self.apart)
    #expect(try Self.groups(inks: [(250, 250, 250), (250, 250, 250)]).count == 1)
  }
}

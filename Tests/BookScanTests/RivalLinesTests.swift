import Testing

@testable import BookScan

@Suite("Lines of two books that must not be joined by a line near both")
struct RivalLinesTests {
  private static let ground: (UInt8, UInt8, UInt8) = (40, 40, 200)

  /// Returns the texts of each group of lines, on five spines of one colour.
  /// - Parameters:
  ///   - gap: the pixels between spines; 0 for a single wide spine.
  ///   - rivalStep: the least step of the ground between rival lines; nil for the default.
  private static func groups(_ lines: [TextLine], gap: Int = 3, rivalStep: Int? = nil) throws -> [Set<String>]
  {
    let photo = try shelf(Array(repeating: ground, count: 5), gap: gap)
    var grouping = SpineGrouping(shelf: Shelf(photo: photo.raster, lines: lines))
    if let rivalStep { grouping.rivalStep = rivalStep }
    return grouping.groups().map { Set($0.lines.map(\.text)) }
  }

  @Test("A line that hangs over two books does not make them one")
  func bridge() throws {
    // Two titles stand on spines with a gap at x = 80. Below both, a sticker lies half on each spine.
    let others = [20.0, 140, 180].map { line("A LONG TITLE \(Int($0))", x: $0, y: 220, length: 360) }
    let lines =
      others + [
        line("THE SILENT RIVER", x: 68, y: 200, length: 180), line("ON HARBOURS", x: 95, y: 200, length: 180),
        line("PUBLISHER", x: 82, y: 340, length: 60, height: 36),
      ]
    let blind = try Self.groups(lines, rivalStep: 256)
    let seen = try Self.groups(lines)
    #expect(blind.contains(["THE SILENT RIVER", "ON HARBOURS", "PUBLISHER"]))
    #expect(seen.contains { $0.contains("PUBLISHER") && $0.count == 2 })
    #expect(!seen.contains { $0.isSuperset(of: ["THE SILENT RIVER", "ON HARBOURS"]) })
  }

  @Test("A small slanted line is no thicker than its letters")
  func leaning() throws {
    func isTogether(height: Double) throws -> Bool {
      let lines = [
        line("THE SILENT RIVER", x: 70, y: 220, length: 300, height: 48),
        line("NOW FOR LESS", x: 112, y: 220, length: 120, height: height, angle: 80),
      ]
      return try Self.groups(lines, gap: 0).count == 1
    }
    #expect(try isTogether(height: 18))
    #expect(try !isTogether(height: 12))
  }

  @Test("Shelf marks along their spines, side by side, belong to two books", arguments: [90.0, 270])
  func standingMarks(angle: Double) throws {
    func groups(_ marks: [String]) throws -> [Set<String>] {
      let lines = zip([60.0, 84], ["THE SILENT RIVER", "ON HARBOURS"]).map {
        line($1, x: $0, y: 200, length: 220, height: 20, angle: angle)
      }
      let named = zip([60.0, 84], marks).map {
        line($1, x: $0, y: 370, length: 80, height: 18, angle: angle)
      }
      return try Self.groups(lines + named, gap: 0)
    }
    // There is no edge between the spines, so only the shelf marks separate them.
    #expect(try groups(["SECOND", "EDITION"]).count == 1)
    let told = try groups(["796.41 Aab", "796.4 Sal"])
    #expect(Set(told) == [["THE SILENT RIVER", "796.41 Aab"], ["ON HARBOURS", "796.4 Sal"]])
  }

  @Test("Labels side by side belong to as many books, and each is complete")
  func labels() throws {
    func label(_ x: Double, _ volume: String) -> [TextLine] {
      zip(["DA", "30", ".P4", volume], [260.0, 278, 296, 314]).map {
        line($0, x: x, y: $1, length: 22, height: 12, angle: 0)
      }
    }
    let titles = [20.0, 60, 100].map { line("AGES", x: $0, y: 200, length: 60) }
    let labels = [20.0, 60, 100].enumerated().flatMap { label($1, "v.\($0 + 2)") }
    let told = try Self.groups(titles + labels)
    #expect(told.count == 3)
    #expect(Set(told) == Set([2, 3, 4].map { ["AGES", "DA", "30", ".P4", "v.\($0)"] }))
  }

  @Test("Rival lines are joined only directly, not through other lines")
  func rivals() {
    var sets = DisjointSets(4, rivals: [(0, 1)])
    sets.join(0, 2)
    sets.join(2, 3)
    sets.join(3, 1)
    #expect(sets.groups() == [[0, 2, 3], [1]])
    sets.join(0, 1)
    #expect(sets.groups() == [[0, 1, 2, 3]])
  }
}

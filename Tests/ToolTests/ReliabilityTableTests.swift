import BookScan
import Testing

@testable import swiftwing_tool

@Suite struct ReliabilityTableTests {
  private var table: ReliabilityTable {
    var reliability = Reliability()
    reliability.samples = (0..<200).map {
      Reliability.Sample(
        probability: Double($0 % 20) / 20, certainty: $0 % 20 > 15 ? .sure : .doubtful, isRight: $0 % 20 > 9)
    }
    return ReliabilityTable(reliability)
  }

  @Test func theTableFitsTheTerminalAndSaysHowSureBooksAre() {
    #expect(table.lines.count == 12 && table.lines.allSatisfy { $0.count <= 80 })
    #expect(table.lines.last == "sure: 40 of 200 books (20.0 %), 40 right (100.0 %); Brier score 0.084")
    #expect(
      table.lines[10].hasPrefix("  0.9–1.0      20      20   0.9")
        && table.lines[10].hasSuffix("1.00  " + String(repeating: "▪", count: 20)))
  }

  @Test func theDrawingHasTheDiagonalAndACountForEachTenth() {
    let svg = table.svg
    #expect(svg.contains(#"<path class="diagonal" d="M40 320L340 20"/>"#))
    #expect(svg.split(separator: "<circle").count == 11 && svg.contains(">20</text>"))
  }

  @Test func withoutABookThereIsNothingToSay() {
    let empty = ReliabilityTable(Reliability())
    #expect(empty.lines.isEmpty && empty.svg.isEmpty)
    #expect(empty.sure == "sure: 0 of 0 books (–), 0 right (–)")
  }
}

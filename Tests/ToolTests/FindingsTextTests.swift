import BookScan
import Imagery
import Testing

@testable import swiftwing_tool

@Suite struct FindingsTextTests {
  private func findings(unlikely: Int) -> PhotoFindings {
    let box = Box(x: 0, y: 0, width: 1, height: 1)
    func spine(_ title: String, _ author: String?, _ certainty: Certainty) -> SpineFinding {
      SpineFinding(title: title, author: author, confidence: 0.5, certainty: certainty, box: box, angle: 0)
    }
    return PhotoFindings(
      recognizer: "r", size: PixelSize(width: 10, height: 10), lines: [],
      spines: [spine("Emma", nil, .doubtful), spine("BLACK HOLE", "CHARLES BURNS", .sure)],
      unlikely: (0..<unlikely).map { spine("SALE \($0)", nil, .unlikely) })
  }

  @Test func theSureComeFirstAndTheRestIsCounted() {
    let books = ["  sure        BLACK HOLE / CHARLES BURNS", "  look at it  Emma"]
    #expect(FindingsText.lines(findings(unlikely: 0), isAll: false) == books)
    #expect(
      FindingsText.lines(findings(unlikely: 1), isAll: false)
        == books + ["  1 more piece of text is probably no book; --all shows it"])
    let several = FindingsText.lines(findings(unlikely: 3), isAll: false)
    #expect(several.last == "  3 more pieces of text are probably no books; --all shows them")
    #expect(several.allSatisfy { $0.count <= 80 })
  }

  @Test func allShowsWhatIsProbablyNoBook() {
    let lines = FindingsText.lines(findings(unlikely: 2), isAll: true)
    #expect(lines.suffix(2) == ["  not a book  SALE 0", "  not a book  SALE 1"] && lines.count == 4)
  }
}

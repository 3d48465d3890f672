import Foundation
import Testing

@testable import BookScan

@Suite struct ReliabilityTests {
  private func sample(_ probability: Double, _ isRight: Bool, _ certainty: Certainty = .sure)
    -> Reliability.Sample
  {
    Reliability.Sample(probability: probability, certainty: certainty, isRight: isRight)
  }

  @Test func tenthsCountWhatWasSaidAndWhatCame() {
    var reliability = Reliability()
    reliability.samples = [sample(0.95, true), sample(1, true), sample(0.9, false), sample(0.31, false)]
    let tenths = reliability.tenths
    #expect(
      tenths.map(\.low) == [0.3, 0.9] && tenths.map(\.count) == [1, 3] && tenths.map(\.right) == [0, 2])
    #expect(abs(tenths[1].said - 0.95) < 1e-9 && abs(tenths[1].share - 2.0 / 3) < 1e-9)
  }

  @Test func brierIsTheMeanSquareOfWhatWasMissed() throws {
    var reliability = Reliability()
    #expect(reliability.brier == nil)
    reliability.samples = [sample(1, true), sample(0.5, false), sample(0, true), sample(0.5, true)]
    #expect(abs(try #require(reliability.brier) - 1.5 / 4) < 1e-12)
  }

  @Test func certaintiesAreCountedApart() {
    var reliability = Reliability()
    reliability.samples = [sample(0.9, true), sample(0.9, false), sample(0.6, true, .doubtful)]
    #expect(reliability.tally(.sure) == (2, 1) && reliability.tally(.doubtful) == (1, 1))
    #expect(reliability.tally(.unlikely) == (0, 0))
  }

  @Test func onlyPhotosThatAreWhollyKnownCount() throws {
    let box = Box(x: 0, y: 0, width: 1, height: 1)
    let books = ["Silent River", "Winter Birds"].map {
      SpineFinding(title: $0, confidence: 0.8, certainty: .doubtful, box: box, angle: 0)
    }
    func reliability(isComplete: Bool) throws -> Reliability {
      let truth = try ShelfTruth(
        json: Data(
          #"{"photos": [{"file": "a", "complete": \#(isComplete), "spines": [{"title": "Silent River"}]}]}"#
            .utf8))
      let score = ShelfScore(
        try #require(truth.photos.first), lines: [], books: books.map { ($0.title, $0.author) })
      var reliability = Reliability()
      reliability.add(score, books)
      return reliability
    }
    let (known, partial) = (try reliability(isComplete: true), try reliability(isComplete: false))
    #expect(known.samples == [sample(0.8, true, .doubtful), sample(0.8, false, .doubtful)])
    #expect(partial.samples.isEmpty)
  }
}

@Suite struct PrintedTitlesTests {
  private let truth = Data(
    """
    {"photos": [{"file": "a.jpg", "complete": true, "spines": [{"title": null}, {"title": "A Long Title : of two parts"}]},
      {"file": "b.jpg", "complete": false, "spines": [{"title": "796.4"}]}]}
    """.utf8)

  @Test func titlesAreCutToWhatIsVisibleAndPhotosLeftOut() throws {
    let printed = try PrintedTitles(
      json: Data(
        """
        {"left_out": ["b.jpg"], "titles": [{"file": "a.jpg", "spine": 1, "was": "…", "printed": "A Long Title"},
          {"file": "a.jpg", "spine": 7, "printed": "Nowhere"}, {"file": "a.jpg", "spine": -1, "printed": "Nowhere"}]}
        """.utf8))
    let cut = try ShelfTruth(json: truth).cut(by: printed)
    #expect(cut.photos.map(\.file) == ["a.jpg"])
    #expect(cut.photos[0].spines.map(\.title) == [nil, "A Long Title"])
  }

  @Test func anotherDocumentIsRefused() {
    #expect(throws: DecodingError.self) { try PrintedTitles(json: Data("[]".utf8)) }
  }
}

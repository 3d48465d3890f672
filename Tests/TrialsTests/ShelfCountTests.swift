import EngineScenarios
import Probes
import TalariaServer
import Testing

@testable import Trials

/// The counts of a trial on a shelf with known titles.
@Suite struct ShelfCountTests {
  private let shelf = ShelfCount(titles: ["Middlemarch", "Dead Souls", "Dead Souls", "The Moonstone"])

  private func outcome(_ records: [String], _ photos: [[String]]) -> StationOutcome {
    var outcome = StationOutcome()
    shelf.judge(records, photos, outcome: &outcome)
    return outcome
  }

  @Test func everythingInItsPlace() {
    let records = ["Middlemarch George Eliot", "Dead Souls", "Dead Souls", "The Moonstone", "Nobody"]
    let outcome = outcome(records, [["Middlemarch", "Dead Souls"], ["Middlemarch", "The Moonstone"]])
    #expect(outcome.spines == 3 && outcome.spinesFound == 3 && outcome.booksBesides == 1)
    #expect(outcome.titlesRead == 3 && outcome.titleReadings == 4)
    #expect(outcome.titlesLost == 0 && outcome.titlesDoubled == 0)
  }

  @Test func aTitleThatWasReadAndIsNotThereIsLost() {
    let outcome = outcome(["Dead Souls"], [["Middlemarch", "Dead Souls"]])
    #expect(outcome.titlesLost == 1 && outcome.spinesFound == 1)
  }

  @Test func aThirdRecordOfTwoCopiesIsOneTooMany() {
    #expect(outcome(Array(repeating: "Dead Souls", count: 3), [["Dead Souls"]]).titlesDoubled == 1)
  }

  @Test func aBackendMisreadsAsItIsTold() {
    let books = [FoundBook(title: "Middlemarch"), FoundBook(title: "Dead Souls")]
    let answers = BackendAnswers()
    #expect(answers.note(books, nil) == books && answers.note(books, .noBooks).isEmpty)
    let (first, second) = (answers.note(books, .doubleBooks), answers.note(books, .doubleBooks))
    #expect(first[0].title != second[0].title && first[0].title.hasPrefix("Middlemarch"))
    #expect(Set(answers.note(books, .mergedBooks).map(\.isbn)).count == 1)
    #expect(answers.photos.count == 5 && answers.photos[4] == ["Middlemarch ", "Dead Souls "])
  }
}

import Bibliography
import Testing

@testable import ShelfReading

@Suite struct ShelfReportTests {
  private let holdings = [
    ("Persuasion", "Jane Austen"), ("Jane Eyre", "Charlotte Brontë"), ("Middlemarch", "George Eliot"),
    ("Howards End", "E. M. Forster"), ("Cranford", "Elizabeth Gaskell"), ("Ulysses", "James Joyce"),
    ("Der Prozess", "Franz Kafka"), ("Kim", "Rudyard Kipling"),
  ].map { Holding(title: $0.0, author: $0.1) }

  private func spines(_ numbers: [Int], rows: [Int]? = nil) -> [ShelfSpine] {
    zip(numbers, rows ?? numbers.map { _ in 0 }).map { number, row in
      number < 0
        ? ShelfSpine(legibility: .unread, row: row)
        : ShelfSpine(title: holdings[number].title, author: holdings[number].author, row: row)
    }
  }

  private func report(_ numbers: [Int], rows: [Int]? = nil) -> ShelfReport {
    ShelfReport(spines(numbers, rows: rows), against: holdings)
  }

  @Test func aShelfInOrderHasNothingToDo() {
    let report = report([0, 1, 2, 3, 4, 5, 6, 7])
    #expect(report.rule == .list)
    #expect(report.holdings == (0..<8).map { .present(spine: $0) })
    #expect(report.spines == (0..<8).map { .holding($0) })
  }

  @Test func aBookBetweenNeighboursThatWereReadIsMissing() {
    let report = report([0, 1, 3, 4, 6, 7])
    #expect(report.holdings[2] == .missing(after: 1, before: 3))
    #expect(report.holdings[5] == .missing(after: 4, before: 6))
  }

  @Test func aSpineThatWasNotReadMayBeTheBook() {
    #expect(report([0, 1, -1, 3, 4, 5, 6, 7]).holdings[2] == .notRead(after: 1, before: 3))
    let two = report([0, 1, -1, 4, 5, 6, 7])
    #expect(two.holdings[2] == .someMissing(count: 1, of: 2, after: 1, before: 4))
    #expect(two.holdings[3] == two.holdings[2])
  }

  @Test func allMissingVolumesAreCounted() {
    let volumes = (1...5).map { Holding(title: "Lexikon der Vögel", author: "Band \($0)") }
    let list = [holdings[0]] + volumes + [holdings[7]]
    let volume = ShelfSpine(title: "Lexikon der Vögel")
    let report = ShelfReport([spines([0])[0], volume, volume, volume, spines([7])[0]], against: list)
    let missing = report.holdings.filter { $0 == .someMissing(count: 2, of: 5, after: 0, before: 6) }
    #expect(missing.count == 2, "\(report.holdings)")
  }

  @Test func whatNoPhotographShowsIsNotMissing() {
    let report = report([2, 3, 5, 6], rows: [0, 0, 1, 1])
    // These books stand before the first spine, at the edge between two rows, and after the last spine.
    #expect([0, 1, 4, 7].allSatisfy { report.holdings[$0] == .unseen })
  }

  @Test func theFewestBooksAreMoved() {
    let report = report([0, 5, 1, 2, 3, 4, 6, 7])
    #expect(report.holdings[5] == .misplaced(spine: 1, after: 4, before: 6))
    #expect(report.spines[1] == .misplaced(5))
    #expect(report.spines.count { if case .misplaced = $0 { true } else { false } } == 1)
  }

  @Test func rowsMayBePhotographedInAnyOrder() {
    let report = report([4, 5, 6, 7, 0, 1, 2, 3], rows: [0, 0, 0, 0, 1, 1, 1, 1])
    #expect(report.holdings.allSatisfy { if case .present = $0 { true } else { false } })
    #expect(report.holdings[4] == .present(spine: 0))
  }

  @Test func photographsThatOverlapAreOneShelf() {
    let report = report([0, 1, 2, 3, 2, 3, 5, 6], rows: [0, 0, 0, 0, 1, 1, 1, 1])
    #expect(report.spines[4] == .again(2) && report.spines[5] == .again(3))
    #expect(report.holdings[4] == .missing(after: 3, before: 5))
  }

  @Test func strangersAndCopiesAreTold() {
    var shelf = spines([0, 1, 2, 3, 4, 5])
    shelf.insert(ShelfSpine(title: "Moby Dick", author: "Herman Melville"), at: 3)
    shelf.insert(shelf[1], at: 2)
    let report = ShelfReport(shelf, against: holdings)
    #expect(report.spines[4] == .notInList && report.spines[2] == .surplus(1))
    shelf[4].legibility = .doubtful
    #expect(ShelfReport(shelf, against: holdings).spines[4] == .notRead)
  }

  @Test func theOrderIsToldFromTheList() {
    func list(_ marks: [String?]) -> [Holding] { marks.map { Holding(title: "T", mark: $0) } }
    #expect(ShelfRule(of: list(["813.54 ORU", "510 KNU", nil])) == .dewey)
    #expect(ShelfRule(of: list(["QA76 .K6", "PS3573 .A4 1998"])) == .congress)
    #expect(ShelfRule(of: list(["Rom KAF", "Sach 2 ABC"])) == .mark)
    #expect(ShelfRule(of: list([nil, nil, "510 KNU"])) == .list && ShelfRule(of: []) == .list)
  }

  @Test func authorsStandByTheirLastNames() {
    let mixed = [6, 0, 3].map { holdings[$0] }
    let report = ShelfReport(spines([0, 3, 6]), against: mixed, by: .author)
    #expect(report.holdings == [.present(spine: 2), .present(spine: 0), .present(spine: 1)])
  }

  @Test func theFirstAuthorDecides() {
    let list = ["Adams", "Brian Kernighan & Ann Abel", "Zoe Young; Ann Abel"].map {
      Holding(title: "T", author: $0)
    }
    #expect(ShelfRule.author.places(list) == [0, 1, 2])
  }

  @Test func aSpineThatShowsItsMarkAloneIsItsBook() {
    let marks = ["DA 30 .P4 v.2", "DA 30 .P4 v.3", "DA 32 .A1 H6", "DA 32 .G7"]
    let holdings = marks.enumerated().map {
      Holding(title: "Volume \($0.offset) of something", mark: $0.element)
    }
    let read = ["DA 30 P4 v2", "DA 30 .P4 V.3", "DA 32 G7"].map { ShelfSpine(title: $0) }
    let report = ShelfReport(read, against: holdings)
    #expect(report.rule == .congress)
    #expect(
      report.holdings == [
        .present(spine: 0), .present(spine: 1), .missing(after: 1, before: 3), .present(spine: 2),
      ])
  }

  @Test func aBookThatWasReadWithItsNeighbourIsNotMissing() {
    var read = spines([0, 1, 3, 4])
    read[1].rest = "Middlemarch GEORGE ELIOT 823"
    #expect(ShelfReport(read, against: holdings).holdings[2] == .notRead(after: 1, before: 3))
    read[1].rest = "Penguin Classics 823"
    #expect(ShelfReport(read, against: holdings).holdings[2] == .missing(after: 1, before: 3))
  }

  @Test func nothingIsFoundInNothing() {
    #expect(ShelfReport([], against: holdings).holdings.allSatisfy { $0 == .unseen })
    #expect(ShelfReport(spines([0, -1]), against: []).spines == [.notInList, .notRead])
  }
}

import Testing

@testable import ShelfReading

/// The faults that were planted, and how many of them the report finds.
private struct Score: Sendable {
  var (planted, found) = (0, 0)
  var lost: [DrawnShelf.Fault] = []
  /// The descriptions of false alarms.
  var alarms: [String] = []

  init(_ shelf: DrawnShelf, _ report: ShelfReport) {
    planted = shelf.faults.count
    var (astray, gone, strange): (Set<Int>, Set<Int>, Set<Int>) = ([], [], [])
    for fault in shelf.faults {
      switch fault {
      case .missing(let holding): gone.insert(holding)
      case .foreign(let spine): strange.insert(spine)
      case .swapped(let one, let other): astray.formUnion([one, other])
      case .moved(let holding): astray.insert(holding)
      }
      if Self.holds(fault, report) { found += 1 } else { lost.append(fault) }
    }
    for (holding, verdict) in report.holdings.enumerated() {
      switch verdict {
      case .misplaced where !astray.contains(holding): alarms.append("\(holding) \(verdict)")
      // A book that was moved is indeed missing from its own place.
      case .missing where !gone.contains(holding) && !astray.contains(holding):
        alarms.append("\(holding) \(verdict)")
      // This verdict gives the number of missing books in a group, not which ones. It is false only if no book of the group is
      // missing.
      case .someMissing(_, _, let after, let before)
      where !(after...before).contains { gone.contains($0) || astray.contains($0) }:
        alarms.append("\(holding) \(verdict)")
      case .present, .misplaced, .missing, .someMissing, .notRead, .unseen: break
      }
    }
    for (spine, verdict) in report.spines.enumerated() where verdict == .notInList && !strange.contains(spine)
    {
      alarms.append("spine \(spine) \(shelf.spines[spine])")
    }
    for (spine, verdict) in report.spines.enumerated() {
      if case .surplus = verdict, !strange.contains(spine) { alarms.append("spine \(spine) \(verdict)") }
    }
  }

  private static func holds(_ fault: DrawnShelf.Fault, _ report: ShelfReport) -> Bool {
    func isAstray(_ holding: Int) -> Bool {
      if case .misplaced = report.holdings[holding] { true } else { false }
    }
    // If the spine of a moved book was not read, the book is reported as missing from its own place.
    func isMissing(_ holding: Int) -> Bool {
      if case .missing = report.holdings[holding] { true } else { false }
    }
    switch fault {
    case .foreign(let spine):
      if case .surplus = report.spines[spine] { return true }
      return report.spines[spine] == .notInList
    case .swapped(let one, let other): return [one, other].contains { isAstray($0) || isMissing($0) }
    case .moved(let holding):
      return isAstray(holding) || isMissing(holding)
    case .missing(let holding):
      return report.holdings.contains { verdict in
        // The report says that some books of a group are missing, and this book belongs to that group.
        if case .someMissing(_, _, let after, let before) = verdict {
          return (after...before).contains(holding)
        }
        return false
      } || isMissing(holding)
    }
  }
}

@Suite struct FaultTests {
  /// Eight libraries of 10,000 books, each with 500 faults. Of the spines, 1 in 100 is not read at all and 1 in 50 is read badly. A
  /// foreign book among those is not found, and counts as lost.
  @Test func faultsAmongTenThousandBooksAreFound() async {
    let scores = await withTaskGroup(of: Score.self) { group in
      for seed in 11...18 {
        group.addTask {
          let shelf = DrawnShelf(count: 10_000, faults: 500, seed: UInt64(seed))
          return Score(shelf, ShelfReport(shelf.spines, against: shelf.holdings))
        }
      }
      return await group.reduce(into: [Score]()) { $0.append($1) }
    }
    let (planted, found) = (scores.map(\.planted).reduce(0, +), scores.map(\.found).reduce(0, +))
    let alarms = scores.flatMap(\.alarms)
    #expect(planted >= 3950)
    #expect(Double(found) >= 0.99 * Double(planted), "\(found) of \(planted), lost \(scores.map(\.lost))")
    #expect(alarms.count <= 80, "\(alarms.count): \(alarms.prefix(40))")
  }

  @Test func aShelfWithoutFaultsIsQuiet() {
    let shelf = DrawnShelf(count: 5000, faults: 0, seed: 21)
    #expect(Score(shelf, ShelfReport(shelf.spines, against: shelf.holdings)).alarms.count <= 2)
  }
}

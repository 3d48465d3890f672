import Bibliography
import ShelfReading

/// Something to do on a shelf, or to look at.
struct ShelfTask: Encodable {
  /// The kind of a task. Its raw value is printed in the worklist.
  enum Kind: String, Encodable, CaseIterable {
    case missing
    /// Some of several books that cannot be told apart are missing.
    case oneMissing = "one missing"
    case misplaced
    case extraCopy = "extra copy"
    case notInList = "not in list"
    case notRead = "not read"
  }

  /// A book next to which another book belongs.
  struct Neighbour: Encodable {
    var mark: String?
    var title: String
    var author: String?
    var spot: ShelfPhotographs.Spot?

    /// The mark and the title, such as `813.54 ORU Title`.
    var text: String { [mark, title].compactMap(\.self).joined(separator: " ") }
  }

  var task: Kind
  var mark: String?
  var title: String
  var author: String?
  var isbn: String?
  /// The place of the book; nil if no photograph shows it.
  var spot: ShelfPhotographs.Spot?
  /// The book behind which this book belongs. Nil at an end of the photographed shelf, and for a book that belongs nowhere.
  var behind: Neighbour?
  /// The book before which this book belongs. Nil at an end of the photographed shelf, and for a book that belongs nowhere.
  var before: Neighbour?
  /// For `one missing`, the number of missing books and the number of books that are alike; otherwise nil.
  var missing: [Int]?
  /// The index of the spine along the shelf, by which tasks are sorted.
  var position: Int

  enum CodingKeys: CodingKey { case task, mark, title, author, isbn, spot, behind, before, missing }

  init(_ task: Kind, _ book: Holding, spot: ShelfPhotographs.Spot?, position: Int) {
    self.task = task
    mark = book.mark
    title = book.title
    author = book.author.isEmpty ? nil : book.author
    isbn = book.isbns.first
    self.spot = spot
    self.position = position
  }
}

/// The result of comparing photographs with a list.
struct ShelfWorklist: Encodable {
  struct Counts: Encodable {
    /// The number of books in the list.
    var books: Int
    var present = 0
    var missing = 0
    var misplaced = 0
    var extraCopies = 0
    var notInList = 0
    /// The number of books that may be at a spine that was not read.
    var notRead = 0
    /// The number of books that belong on a part of the shelf that no photograph shows.
    var outside = 0
    /// The number of spines of which too little was read.
    var unreadSpines = 0
  }

  /// The name of the list.
  var holdings: String
  var order: ShelfRule
  var counts: Counts
  var tasks: [ShelfTask]

  init(_ shelf: ShelfPhotographs, against list: [Holding], named name: String, by rule: ShelfRule?) {
    let report = ShelfReport(shelf.spines, against: list, by: rule)
    holdings = name
    order = report.rule
    counts = Counts(books: list.count)
    let maker = TaskMaker(shelf, list, report)
    tasks = maker.tasks.sorted { ($0.position, $0.title) < ($1.position, $1.title) }
    count(report)
  }

  private mutating func count(_ report: ShelfReport) {
    var groups: [[Int]: Int] = [:]
    for verdict in report.holdings {
      switch verdict {
      case .present: counts.present += 1
      case .misplaced: counts.misplaced += 1
      case .missing: counts.missing += 1
      case .someMissing(let count, _, let after, let before): groups[[after, before]] = count
      case .notRead: counts.notRead += 1
      case .unseen: counts.outside += 1
      }
    }
    counts.missing += groups.values.reduce(0, +)
    for verdict in report.spines {
      switch verdict {
      case .surplus: counts.extraCopies += 1
      case .notInList: counts.notInList += 1
      case .notRead: counts.unreadSpines += 1
      case .holding, .misplaced, .again: continue
      }
    }
  }
}

/// Makes tasks from verdicts.
private struct TaskMaker {
  private let shelf: ShelfPhotographs
  private let list: [Holding]
  private let report: ShelfReport

  init(_ shelf: ShelfPhotographs, _ list: [Holding], _ report: ShelfReport) {
    self.shelf = shelf
    self.list = list
    self.report = report
  }

  var tasks: [ShelfTask] { list.indices.compactMap(ofHolding) + shelf.spines.indices.compactMap(ofSpine) }

  private func ofHolding(_ number: Int) -> ShelfTask? {
    switch report.holdings[number] {
    case .present, .unseen: return nil
    case .misplaced(let spine, let after, let before):
      return task(.misplaced, number, at: spine, between: after, before)
    case .missing(let after, let before): return task(.missing, number, at: nil, between: after, before)
    case .notRead(let after, let before): return task(.notRead, number, at: nil, between: after, before)
    case .someMissing(let count, let all, let after, let before):
      var task = task(.oneMissing, number, at: nil, between: after, before)
      task.missing = [count, all]
      return task
    }
  }

  private func ofSpine(_ number: Int) -> ShelfTask? {
    let spine = shelf.spines[number]
    let read = Holding(title: spine.title, author: spine.author, isbns: spine.isbn.map { [$0] } ?? [])
    switch report.spines[number] {
    case .holding, .misplaced, .again, .notRead: return nil
    case .surplus(let holding):
      return ShelfTask(.extraCopy, list[holding], spot: shelf.spots[number], position: number)
    case .notInList: return ShelfTask(.notInList, read, spot: shelf.spots[number], position: number)
    }
  }

  private func task(
    _ kind: ShelfTask.Kind, _ holding: Int, at spine: Int?, between after: Int?, _ before: Int?
  ) -> ShelfTask {
    let place = spine ?? self.spine(of: after) ?? self.spine(of: before) ?? 0
    var task = ShelfTask(kind, list[holding], spot: spine.map { shelf.spots[$0] }, position: place)
    task.behind = after.map(neighbour)
    task.before = before.map(neighbour)
    return task
  }

  private func neighbour(_ holding: Int) -> ShelfTask.Neighbour {
    let book = list[holding]
    return ShelfTask.Neighbour(
      mark: book.mark, title: book.title, author: book.author.isEmpty ? nil : book.author,
      spot: spine(of: holding).map { shelf.spots[$0] })
  }

  private func spine(of holding: Int?) -> Int? {
    guard let holding, case .present(let spine) = report.holdings[holding] else { return nil }
    return spine
  }
}

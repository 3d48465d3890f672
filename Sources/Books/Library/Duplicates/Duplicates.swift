import GRDB

/// Finds records that are the same book. `Library.merge(_:at:)` merges them.
enum Duplicates {
  static func groups(in database: Database) throws -> [DuplicateGroup] {
    var books: [Book] = []
    let rows = try Row.fetchCursor(
      database, sql: "SELECT * FROM book WHERE \(Library.Selection.listed.condition) ORDER BY id")
    while let row = try rows.next() {
      if books.count.isMultiple(of: 1000) { try Task.checkCancellation() }
      books.append(try Book(row: row))
    }
    let records = books.map(BookWords.init)
    let pairs = alike(records)
    try Task.checkCancellation()
    return try grouped(pairs, records).map {
      try group($0.map { books[$0] }, pairs, records, $0, in: database)
    }
    .sorted { ($0.books.first?.id ?? 0) < ($1.books.first?.id ?? 0) }
  }

  private struct Pair: Hashable {
    let first: Int32
    let second: Int32

    init(_ first: Int, _ second: Int) { (self.first, self.second) = (Int32(first), Int32(second)) }
  }

  /// The pairs of records that are the same book, with the reason for each pair.
  private static func alike(_ records: [BookWords]) -> [Pair: Likeness] {
    var found: [Pair: Likeness] = [:]
    DuplicatePairs(records).forEachPair { first, second in
      if let likeness = BookWords.likeness(records[first], records[second]) {
        found[Pair(first, second)] = likeness
      }
    }
    return found
  }

  /// Groups in which every two records may be the same book, built from the surest likeness first. If a record resembles two records that do not
  /// resemble each other, it joins neither, because its book cannot be determined.
  private static func grouped(_ pairs: [Pair: Likeness], _ records: [BookWords]) -> [[Int]] {
    let order = Likeness.allCases
    let sorted = pairs.sorted { one, other in
      let ranks = (order.firstIndex(of: one.value) ?? 0, order.firstIndex(of: other.value) ?? 0)
      return (ranks.0, one.key.first, one.key.second) < (ranks.1, other.key.first, other.key.second)
    }
    var neighbours: [Int: [Int]] = [:]
    for (pair, _) in sorted {
      neighbours[Int(pair.first), default: []].append(Int(pair.second))
      neighbours[Int(pair.second), default: []].append(Int(pair.first))
    }
    var groups = Groups()
    for (pair, likeness) in sorted {
      let (first, second) = (Int(pair.first), Int(pair.second))
      if likeness == .authorMissing {
        let vague = records[first].author.isEmpty ? first : second
        let named = (neighbours[vague] ?? []).filter { !records[$0].author.isEmpty }
        guard areOne(named, records) else { continue }
      }
      groups.unite(first, second) { records[$0].isCompatible(with: records[$1]) }
    }
    return groups.all
  }

  private static func areOne(_ places: [Int], _ records: [BookWords]) -> Bool {
    places.indices.allSatisfy { one in
      places[(one + 1)...].allSatisfy { records[places[one]].isCompatible(with: records[$0]) }
    }
  }

  private static func group(
    _ books: [Book], _ pairs: [Pair: Likeness], _ records: [BookWords], _ places: [Int], in database: Database
  ) throws -> DuplicateGroup {
    let order = places.indices.sorted { DuplicateGroup.stays(books[$0], before: books[$1]) }
    let sorted = order.map { places[$0] }
    let reasons = sorted.indices.dropFirst().map { place in
      sorted[..<place].compactMap { other in
        pairs[Pair(min(sorted[place], other), max(sorted[place], other))]
      }.first ?? sorted.compactMap { pairs[Pair(min(sorted[place], $0), max(sorted[place], $0))] }.first
        ?? .sameName
    }
    return DuplicateGroup(
      books: order.map { books[$0] }, reasons: Array(reasons),
      areCopies: try SeenTogether.any(books.map(\.id), in: database))
  }
}

extension DuplicateGroup {
  fileprivate static func stays(_ one: Book, before other: Book) -> Bool {
    func rank(_ book: Book) -> [Double] {
      [
        book.confirmedAt == nil ? 1 : 0, book.isbn == nil ? 1 : 0, book.certainty == .doubtful ? 1 : 0,
        book.author.isEmpty ? 1 : 0, -(book.spineConfidence ?? 0), Double(book.id),
      ]
    }
    return rank(one).lexicographicallyPrecedes(rank(other))
  }
}

/// Groups that grow by union. Two groups are united only if every two of their members agree.
private struct Groups {
  private var group: [Int: Int] = [:]
  private var members: [Int: [Int]] = [:]

  var all: [[Int]] { members.values.filter { $0.count > 1 }.map { $0.sorted() } }

  mutating func unite(_ first: Int, _ second: Int, where agree: (Int, Int) -> Bool) {
    let (one, other) = (group[first] ?? first, group[second] ?? second)
    guard one != other else { return }
    let (left, right) = (members[one] ?? [first], members[other] ?? [second])
    guard left.count + right.count <= 100, left.allSatisfy({ a in right.allSatisfy { agree(a, $0) } }) else {
      return
    }
    members[other] = nil
    members[one] = left + right
    for member in left + right { group[member] = one }
  }
}

/// Looks for records that were seen at the same time as two physical books.
private enum SeenTogether {
  static func any(_ books: [Book.ID], in database: Database) throws -> Bool {
    for (place, first) in books.enumerated() {
      for second in books[(place + 1)...] {
        if try inOnePhoto(first, second, in: database) { return true }
        if try inOneView(first, second, in: database) { return true }
      }
    }
    return false
  }

  /// Whether one photograph shows the two books as findings of different spines, which are not the spine and the cover of one book.
  private static func inOnePhoto(_ first: Book.ID, _ second: Book.ID, in database: Database) throws -> Bool {
    let sql = """
      SELECT one.spineID AS here, other.spineID AS there FROM sighting AS one
      CROSS JOIN sighting AS other ON other.scanKey = one.scanKey
      WHERE one.bookID = ? AND other.bookID = ? AND (one.spineID ISNULL OR one.spineID IS NOT other.spineID)
      LIMIT 1000
      """
    let rows = try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [first, second])
    guard !rows.isEmpty else { return false }
    let (places, others) = (
      try Copies.places(of: first, in: database), try Copies.places(of: second, in: database)
    )
    return try rows.contains { (row: Row) -> Bool in
      let (here, there) = (
        try row.decode(String?.self, forColumn: "here"), try row.decode(String?.self, forColumn: "there")
      )
      guard let place = here.flatMap({ places[$0] }), let other = there.flatMap({ others[$0] }) else {
        return true
      }
      return !place.isOtherSide(of: other)
    }
  }

  private static func inOneView(_ first: Book.ID, _ second: Book.ID, in database: Database) throws -> Bool {
    let sql = "SELECT * FROM spine WHERE bookID = ? LIMIT 1000"
    func spines(_ book: Book.ID) throws -> [Spine] {
      try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [book]).map(Spine.init(row:))
    }
    let others = try spines(second)
    return try spines(first).contains { one in
      others.contains { other in
        guard one.view == other.view, let place = one.place, let place2 = other.place else { return false }
        return place.isCopy(beside: place2)
      }
    }
  }
}

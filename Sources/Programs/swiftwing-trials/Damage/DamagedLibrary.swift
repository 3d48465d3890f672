import Foundation
import GRDB
import Library
import System

/// A library with rows in every table, and copies of it in which one cell is damaged.
struct DamagedLibrary {
  let directory: String
  private let cells: [Cell]

  private struct Cell {
    var table: String
    var column: String
    /// The primary key's columns.
    var keys: [String]
  }

  /// Creates the library in `directory`, which is empty or does not exist.
  init(making directory: String) async throws {
    self.directory = directory
    try await Self.fill(directory)
    cells = try await DatabaseQueue(path: "\(directory)/\(Store.fileName)").read { database in
      let tables = try String.fetchAll(
        database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'")
      return try tables.flatMap { table in
        let columns = try Row.fetchAll(database, sql: "SELECT name, pk FROM pragma_table_info('\(table)')")
        let keys: [String] = columns.filter { $0["pk"] != 0 }.map { $0["name"] }
        guard try Int.fetchOne(database, sql: "SELECT count(*) FROM \"\(table)\"") != 0 else {
          return [Cell]()
        }
        return columns.map { Cell(table: table, column: $0["name"], keys: keys.isEmpty ? ["rowid"] : keys) }
      }
    }
  }

  /// SQL expressions of values that are written to cells.
  private static let values = [
    "NULL", "-1", "0", "2", "9223372036854775807", "-9223372036854775808", "9007199254740993",
    "99999999999999",
    "1e300", "-1e300", "9e999", "-9e999", "0.5", "1.5", "''", "'x'", "'12'", "'{}'", "'['", "'{\"isbn\": 5}'",
    "CAST(x'FF80C0' AS TEXT)", "CAST(x'410042' AS TEXT)", "x''", "x'00'", "x'FF80C0'", "randomblob(100000)",
    "CAST(zeroblob(3000000) AS TEXT)", "hex(zeroblob(2000000))",
    "'00000000-0000-4000-8000-000000000000'", "'failed'", "'no such kind'", "'9780441172719'",
  ]

  /// Copies the library to `copy` and damages one cell of the copy.
  /// - Returns: the cell and its new value, as a text.
  func damage(in copy: String, _ chance: inout SplitMix64) throws -> String {
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: directory, toPath: copy)
    let cell = cells[Int.random(in: cells.indices, using: &chance)]
    let value = Self.values[Int.random(in: Self.values.indices, using: &chance)]
    let row = Int.random(in: 0..<1000, using: &chance)
    let path = "\(copy)/\(Store.fileName)"
    let schema = try Self.loosen(path)
    let queue = try DatabaseQueue(path: path, configuration: Self.configuration)
    try queue.writeWithoutTransaction { database in
      do { try Self.write(value, cell, row: row, in: database) } catch let error as DatabaseError
        where error.resultCode == .SQLITE_MISMATCH
      {
        // An integer primary key accepts only integers.
        try Self.write("-9223372036854775808", cell, row: row, in: database)
      }
      try Self.restore(schema, in: database)
    }
    try queue.close()
    return "\(cell.table).\(cell.column) = \(value)"
  }

  private static func write(_ value: String, _ cell: Cell, row: Int, in database: Database) throws {
    let keys = cell.keys.joined(separator: ", ")
    try database.execute(
      sql: """
        UPDATE OR IGNORE "\(cell.table)" SET "\(cell.column)" = \(value) WHERE (\(keys)) =
        (SELECT \(keys) FROM "\(cell.table)" LIMIT 1 OFFSET \(row) % (SELECT count(*) FROM "\(cell.table)"))
        """)
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase {
      try $0.execute(
        sql: "PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON; PRAGMA synchronous = OFF")
    }
    return configuration
  }

  /// Removes all constraints of the tables that reject values, and all triggers.
  /// - Returns: the schema as it was.
  private static func loosen(_ path: String) throws -> [(name: String, type: String, sql: String)] {
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { database in
      let rows = try Row.fetchAll(
        database, sql: "SELECT name, type, sql FROM sqlite_master WHERE sql NOTNULL")
      try database.execute(
        sql: """
          DELETE FROM sqlite_master WHERE type = 'trigger';
          UPDATE sqlite_master SET sql = replace(replace(replace(sql, ' STRICT, WITHOUT', ' WITHOUT'), ' STRICT', ''), ' NOT NULL', '')
          WHERE type = 'table' AND name NOT LIKE 'book_text%' AND sql LIKE '%STRICT%';
          """)
      return rows.map { ($0["name"], $0["type"], $0["sql"]) }
    }
  }

  private static func restore(
    _ schema: [(name: String, type: String, sql: String)], in database: Database
  ) throws {
    for (name, type, sql) in schema {
      if type == "trigger" {
        let table = String(sql.split(separator: " ON ").dropFirst().first?.prefix { $0 != " " } ?? "")
        try database.execute(
          sql:
            "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES ('trigger', ?, ?, 0, ?)",
          arguments: [name, table, sql])
      } else {
        try database.execute(
          sql: "UPDATE sqlite_master SET sql = ? WHERE type = ? AND name = ?", arguments: [sql, type, name])
      }
    }
    // The changed version makes all connections, including this one, read the schema again.
    let version = try Int.fetchOne(database, sql: "PRAGMA schema_version") ?? 0
    try database.execute(sql: "PRAGMA schema_version = \(version + 1)")
  }
}

extension DamagedLibrary {
  /// Fills a library with books of every kind, scans in every state, changes, spines and pictures.
  private static func fill(_ directory: String) async throws {
    let store = try Store(directory: directory)
    let library = store.library
    for number in 0..<6 {
      try await deliver(number, into: store)
      try await store.queue.accept(
        Submission(content: .text(["A LINE \(number)"]), metadata: ["place": "\(number)"]))
    }
    let first = try await library.add(
      BookFinding(
        isbn: "9780441172719", title: "Dune", author: "Frank Herbert",
        coverURL: "https://covers.example/1.jpg",
        format: "paperback", confidence: 0.9, certainty: .sure))
    let second = try await library.add(BookFinding(title: "Dune", author: "F. Herbert", confidence: 0.5))
    let third = try await library.add(BookFinding(title: "Emma", author: "Jane Austen"))
    if let first { try await library.edit(first.id, BookEdit(copies: 2)) }
    if let second { try await library.delete([second.id]) }
    if let third { try await library.review(third.id, .right(BookEdit(title: "Emma, a novel"))) }
    try await queue(store)
  }

  private static func deliver(_ number: Int, into store: Store) async throws {
    let submission = Submission(content: .text(["SPINE \(number)"]))
    try await store.queue.accept(submission)
    guard let scan = try await store.queue.scans(limit: 100).first(where: { $0.key == submission.key }) else {
      return
    }
    let findings = (0..<3).map { place in
      let certainty = BookFinding.Certainty.allCases[place]
      let title = "Book \(number) \(place)"
      let spine = Spine(
        id: UUID(), title: title, author: "Somebody", confidence: 0.7, sightings: 2,
        place: Spine.Place(x: 10, y: 20, width: 30, height: 40, angle: 90), view: 1, look: 77,
        photo: number + 1)
      return Finding(
        BookFinding(
          title: title, author: "Somebody", confidence: 0.7, certainty: certainty,
          reading: BookFinding.Reading(title: title, author: "S.")), spine: spine, followsSpine: true,
        picture: [0xFF, 0xD8, 0xFF, 0xD9])
    }
    try await store.queue.deliver(scan, findings: findings, at: Date())
  }

  private static func queue(_ store: Store) async throws {
    let scans = try await store.queue.scans(limit: 3)
    guard scans.count == 3 else { return }
    let job = QueuedScan.Job(id: "job-1", streamURL: "https://talaria.example/job-1")
    try await store.queue.markUploaded(scans[0], job: job)
    try await store.queue.fail(scans[1], failure: "It failed.", endingJob: false)
    try await store.queue.postpone(
      scans[2], until: Date() + 5, failure: "It waits.", counting: true, endingJob: false)
    if let scan = try await store.queue.scans(after: scans[2].id, limit: 1).first {
      try await store.queue.markUploaded(scan, job: QueuedScan.Job(id: "job-2", streamURL: job.streamURL))
      try await store.queue.drop(scan.key)
    }
    try await store.queue.setPause(until: Date() + 60)
  }
}

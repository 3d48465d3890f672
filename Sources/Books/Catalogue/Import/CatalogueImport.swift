package struct CatalogueImportOutcome: Sendable, Equatable, Codable {
  package struct File: Sendable, Equatable, Codable {
    package var path: String
    package var format: CatalogueFormat
    /// The number of imported books.
    package var books = 0
    /// The number of valid records that were skipped, because they have no title, are not of a book, or are deleted.
    package var passed = 0
    /// The number of records that could not be read.
    package var damaged = 0
    /// The first damaged record and its flaw, such as "line 3: it has 2 fields".
    package var firstDamage: String?
    /// The number of books with an invalid ISBN, which was left out.
    package var leftOut = 0
    /// The first book with an invalid ISBN, and the flaw of the ISBN.
    package var firstLeftOut: String?
    /// The names, as in the first line of the table, of the columns that were not read.
    package var passedOver: [String] = []
  }

  package var files: [File] = []
  /// The number of books in the catalogue.
  package var books = 0
}

/// Creates a catalogue from lists of books. When the new catalogue is complete, it replaces an existing file of that name; on failure the old file is
/// kept.
package struct CatalogueImport: Sendable {
  /// The maximum number of books in a catalogue.
  package static let limit = 100_000_000

  /// The lists and their formats, in any order.
  package let files: [(path: String, format: CatalogueFormat)]
  private let number = UInt32.random(in: .min ... .max)

  /// - Parameter format: the format of all files. Nil to choose it by each file's name.
  /// - Throws: `badInput` if a file's name does not identify its format.
  package init(_ paths: [String], as format: CatalogueFormat? = nil) throws(CatalogueError) {
    files = try paths.map { path throws(CatalogueError) in
      guard let format = format ?? CatalogueFormat(fileName: path) else {
        throw CatalogueError(
          .badInput, "import \(path)", reason: "its name does not show its format",
          remedy: "say which it is with --format csv, marc or openlibrary")
      }
      return (path, format)
    }
  }

  /// The temporary file in which the catalogue is written before it replaces `path`. A program that exits during ``write(to:made:progress:)``
  /// should remove it.
  package func draft(of path: String) -> String { "\(path).\(String(number, radix: 16)).new" }

  /// Creates the catalogue. If the task is cancelled, this ends at once.
  /// - Parameters:
  ///   - made: the time of creation, in UTC by ISO 8601.
  ///   - progress: called now and then with the number of books, and whether they are being indexed.
  /// - Throws: `CatalogueError`; `CancellationError` if the task was cancelled.
  package func write(
    to path: String, made: String, progress: (_ books: Int, _ isIndexing: Bool) -> Void = { _, _ in }
  ) async throws -> CatalogueImportOutcome {
    let writer = try CatalogueWriter(path, draft: draft(of: path), made: made, sources: files.map(\.path))
    let interrupt = writer.interrupt
    return try await withTaskCancellationHandler {
      do { return try take(into: writer, path, progress) } catch {
        // An interrupted statement throws an error of SQLite; throw `CancellationError` instead.
        try Task.checkCancellation()
        throw error
      }
    } onCancel: {
      interrupt()
    }
  }

  private func take(
    into writer: CatalogueWriter, _ path: String, _ progress: (Int, Bool) -> Void
  ) throws -> CatalogueImportOutcome {
    var outcome = CatalogueImportOutcome()
    for (path, format) in files {
      try Task.checkCancellation()
      outcome.files.append(try take(path, format, into: writer, progress))
    }
    guard writer.count > 0 else {
      throw CatalogueError(
        .badInput, "import \(files.map(\.path).joined(separator: ", "))", reason: nothing(outcome),
        remedy: "name the right format with --format; \(path) was not changed")
    }
    outcome.books = writer.count
    try writer.finish { progress($0, true) }
    return outcome
  }

  private func nothing(_ outcome: CatalogueImportOutcome) -> String {
    let damage = outcome.files.lazy.compactMap(\.firstDamage).first
    return "there is no book in it" + (damage.map { " (\($0))" } ?? "")
  }

  private func take(
    _ path: String, _ format: CatalogueFormat, into writer: CatalogueWriter,
    _ progress: (Int, Bool) -> Void
  ) throws -> CatalogueImportOutcome.File {
    var file = CatalogueImportOutcome.File(path: path, format: format)
    var reader: (any RecordReader)?
    do {
      try ListFile(path: path).read { piece in
        try Task.checkCancellation()
        var current = reader ?? format.reader(first: piece)
        try file.take(try current.parse(piece), into: writer)
        reader = current
        progress(writer.count, false)
      }
      var last = reader ?? format.reader(first: [])
      try file.take(try last.end(), into: writer)
      file.passedOver = last.passedOver
    } catch let refusal as ListRefusal {
      throw CatalogueError(
        .badInput, "import \(path)", reason: refusal.reason,
        remedy: refusal.remedy ?? "correct it, or name its format with --format")
    }
    return file
  }
}

extension CatalogueImportOutcome.File {
  fileprivate mutating func take(_ items: [ReadItem], into writer: CatalogueWriter) throws {
    for item in items {
      switch item {
      case .book(let record):
        books += 1
        try writer.add(record)
      case .work(let key, let record):
        books += 1
        try writer.add(record, asWork: key)
      case .author(let key, let name): try writer.add(author: key, name)
      case .passed: passed += 1
      case .damaged(let damage):
        damaged += 1
        if firstDamage == nil { firstDamage = "\(damage.place): \(damage.reason)" }
      case .leftOut(let damage):
        leftOut += 1
        if firstLeftOut == nil { firstLeftOut = "\(damage.place): \(damage.reason)" }
      }
    }
  }
}

import Glibc

/// What an import has made of its files.
package struct CatalogueImportOutcome: Sendable, Equatable, Codable {
  /// What was found in one file.
  package struct File: Sendable, Equatable, Codable {
    package var path: String
    package var format: CatalogueFormat
    /// Books taken in.
    package var books = 0
    /// Records that are sound and no books: without a title, or of another kind.
    package var passed = 0
    /// Records that could not be read.
    package var damaged = 0
    /// Where the first of those is and what is wrong with it, such as "line 3: it has 2 fields".
    package var firstDamage: String?
    /// Books whose ISBN is none, and was left out.
    package var leftOut = 0
    /// Where the first of those is and what is wrong with it.
    package var firstLeftOut: String?
    /// Columns of a table that are not read, as its first line names them.
    package var passedOver: [String] = []
  }

  package var files: [File] = []
  /// Books in the catalogue.
  package var books = 0
}

/// Makes a catalogue of lists of books. The file of that name is replaced when the new one is whole, or not at all.
package struct CatalogueImport: Sendable {
  /// Most books of a catalogue.
  package static let limit = 100_000_000

  /// The lists, in any order.
  package let files: [(path: String, format: CatalogueFormat)]
  private let number = UInt32.random(in: .min ... .max)

  /// - Parameter format: of all files; by the name of each when nil.
  /// - Throws: `badInput` when a file's name does not tell its format.
  package init(_ paths: [String], as format: CatalogueFormat? = nil) throws(CatalogueError) {
    files = try paths.map { path throws(CatalogueError) in
      guard let format = format ?? CatalogueFormat(fileName: path) else {
        throw CatalogueError(
          .badInput, "import \(path)", reason: "its name does not tell its format",
          remedy: "say which it is with --format csv, marc or openlibrary")
      }
      return (path, format)
    }
  }

  /// Where the catalogue is written before it takes the place of `path`. Who ends the program while ``write(to:made:progress:)`` runs removes it.
  package func draft(of path: String) -> String { "\(path).\(String(number, radix: 16)).new" }

  /// Cancelled, it ends at once, whatever it does.
  /// - Parameters:
  ///   - made: the time, in UTC by ISO 8601.
  ///   - progress: told how many books have been read and whether they are being indexed, now and then.
  /// - Throws: `CatalogueError`; `CancellationError` when the task was cancelled.
  package func write(
    to path: String, made: String, progress: (_ books: Int, _ isIndexing: Bool) -> Void = { _, _ in }
  ) async throws -> CatalogueImportOutcome {
    let writer = try CatalogueWriter(path, draft: draft(of: path), made: made, sources: files.map(\.path))
    let interrupt = writer.interrupt
    return try await withTaskCancellationHandler {
      do { return try take(into: writer, path, progress) } catch {
        // A statement that was interrupted says so in words of its own.
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
        remedy: "check the format with --format; \(path) is as it was")
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
        remedy: "correct it, or name its format with --format")
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

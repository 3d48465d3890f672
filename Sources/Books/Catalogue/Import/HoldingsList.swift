package import Bibliography

/// The holdings of a library, in the order of the file: a table with named columns, or MARC 21.
package struct HoldingsList: Sendable {
  /// The maximum number of books.
  package static let limit = 1_000_000

  package private(set) var books: [Holding] = []
  /// Notes for a person about records that were not read and columns that were ignored: sentences without a full stop.
  package private(set) var notes: [String] = []

  /// - Throws: `CatalogueError` if the file cannot be read or has no book.
  package init(_ path: String) throws {
    guard let format = CatalogueFormat(fileName: path), format != .openlibrary else {
      throw Self.refused(
        path, "its name does not end like that of a list", "name a .csv or .tsv, or MARC 21 as .mrc or .xml")
    }
    var reader: (any RecordReader)?
    var damage = (count: 0, first: "")
    do {
      try ListFile(path: path, action: "read the holdings").read { piece in
        var current = reader ?? Self.reader(format, first: piece)
        try take(try current.parse(piece), path, &damage)
        reader = current
      }
      var last = reader ?? Self.reader(format, first: [])
      try take(try last.end(), path, &damage)
      if !last.passedOver.isEmpty {
        notes.append(
          "\(path): columns that are not read: \(last.passedOver.prefix(8).joined(separator: ", "))")
      }
    } catch let refusal as ListRefusal {
      throw Self.refused(path, refusal.reason, refusal.remedy ?? "correct it")
    }
    guard !books.isEmpty else {
      throw Self.refused(path, "there is no book in it", "check that it is a list of books")
    }
    if damage.count > 0 {
      let records = damage.count == 1 ? "1 record was" : "\(damage.count) records were"
      notes.append("\(path): \(records) not read (\(damage.first))")
    }
  }

  private static func reader(_ format: CatalogueFormat, first: ArraySlice<UInt8>) -> any RecordReader {
    format == .csv ? DelimitedListReader(withMarks: true) : format.reader(first: first)
  }

  private static func refused(_ path: String, _ reason: String, _ remedy: String) -> CatalogueError {
    CatalogueError(.badInput, "read the holdings \(path)", reason: reason, remedy: remedy)
  }

  private mutating func take(
    _ items: [ReadItem], _ path: String, _ damage: inout (count: Int, first: String)
  ) throws(CatalogueError) {
    for item in items {
      switch item {
      case .book(let record), .work(_, let record): books += Self.copies(record)
      case .damaged(let found):
        if damage.count == 0 { damage.first = "\(found.place): \(found.reason)" }
        damage.count += 1
      case .author, .passed, .leftOut: continue
      }
    }
    guard books.count <= Self.limit else {
      throw Self.refused(
        path, "it has more than \(Self.limit) books", "name the part that is on these shelves")
    }
  }

  /// The copies of a record. In MARC 21, each copy has its own shelf mark.
  private static func copies(_ record: CatalogueRecord) -> [Holding] {
    let volume = record.volume.isEmpty ? "" : " \(record.volume)"
    let book = Holding(
      title: record.title + volume, author: record.author, mark: nil, isbns: record.isbns.map(\.text))
    guard !record.marks.isEmpty else { return [book] }
    return record.marks.map { mark in
      var copy = book
      copy.mark = mark
      return copy
    }
  }
}

import Bibliography

/// A table with the columns of another program's own export, in UTF-8 by RFC 4180. It has no byte order mark, which those programs would read as
/// part of the first column's name.
///
/// An apostrophe precedes text that a spreadsheet would run as a formula, as in every export (`CSVCell`). A title that is a number gets no
/// apostrophe, since these programs would keep it.
struct ProgramTable: Sendable {
  private let columns: [(name: String, value: @Sendable (ProgramRecord) -> String)]

  var head: String { Self.line(columns.map(\.name)) }

  func row(_ book: ProgramRecord) -> String { Self.line(columns.map { $0.value(book) }) }

  private static func line(_ values: [String]) -> String {
    values.map { CSVCell.write($0) }.joined(separator: ",") + "\r\n"
  }

  /// Goodreads, "Export Library": the columns for which the library has data. No book is put on a reading shelf.
  static let goodreads = ProgramTable(columns: [
    ("Title", { $0.title }), ("Author", { $0.persons.first?.plain ?? "" }),
    ("Author l-f", { $0.persons.first?.sorted ?? "" }),
    ("Additional Authors", { $0.persons.dropFirst().map(\.plain).joined(separator: ", ") }),
    ("ISBN13", { $0.isbn ?? "" }), ("Binding", { $0.format }),
    ("Date Added", { "\($0.day.year)/\($0.day.month)/\($0.day.day)" }), ("Private Notes", { $0.location }),
    ("Owned Copies", { "\($0.copies)" }),
  ])

  /// LibraryThing, "Export your library".
  static let libraryThing = ProgramTable(columns: [
    ("Title", { $0.title }), ("Primary Author", { $0.persons.first?.sorted ?? "" }),
    ("Secondary Author", { $0.persons.dropFirst().map(\.sorted).joined(separator: "|") }),
    ("ISBN", { $0.isbn ?? "" }), ("Media", { $0.format }), ("Copies", { "\($0.copies)" }),
    ("Private Comment", { $0.location }),
    ("Entry Date", { "\($0.day.year)-\($0.day.month)-\($0.day.day)" }),
  ])

  /// Calibre, `calibredb catalog FILE.csv`: several authors are joined by `&`.
  static let calibre = ProgramTable(columns: [
    ("title", { $0.title }), ("authors", { $0.persons.map(\.plain).joined(separator: " & ") }),
    ("author_sort", { $0.persons.map(\.sorted).joined(separator: " & ") }), ("isbn", { $0.isbn ?? "" }),
    ("timestamp", { "\($0.day.year)-\($0.day.month)-\($0.day.day)T00:00:00+00:00" }),
  ])
}

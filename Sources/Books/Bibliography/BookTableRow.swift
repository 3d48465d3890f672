package struct BookTableRow: Equatable, Sendable {
  /// The line where the row begins, counted from 1.
  package let line: Int
  private let columns: [BookColumn]
  private let texts: [String]

  init(line: Int, values: [(column: BookColumn, text: String)]) {
    self.line = line
    columns = values.map(\.column)
    texts = values.map(\.text)
  }

  /// Whether the table has the column.
  package func has(_ column: BookColumn) -> Bool { columns.contains(column) }

  /// The text of a column. Nil if the table has no such column.
  package func text(_ column: BookColumn) -> String? { columns.firstIndex(of: column).map { texts[$0] } }

  /// The texts of a column that are not empty.
  private func all(_ column: BookColumn) -> [String] {
    zip(columns, texts).filter { $0.0 == column && !$0.1.isEmpty }.map(\.1)
  }

  /// The authors: one text for each author or group of authors, as the columns have them.
  package var authors: [String] {
    let main = all(.author)
    // Goodreads, whose tables have the sorted author too, separates further authors by commas. Its names have no comma.
    let hasPlainNames = has(.sortedAuthor) && !main.isEmpty && !main.contains { $0.contains(",") }
    let further = all(.furtherAuthor).flatMap { names in
      names.split { $0 == "|" || (hasPlainNames && $0 == ",") }.map { CleanText.line(String($0)) }
    }.filter { !$0.isEmpty }
    return (main.isEmpty ? Array(all(.sortedAuthor).prefix(1)) : main) + further
  }

  /// The ISBNs in all columns of numbers. Errors are reported only for columns that must contain ISBNs.
  package var isbns: ISBNReading {
    var reading = ISBNReading()
    for text in all(.isbn) {
      let one = ISBN.read(text)
      reading.isbns += one.isbns.filter { !reading.isbns.contains($0) }
      if reading.trouble == nil { (reading.trouble, reading.text) = (one.trouble, one.text) }
      reading.rounded = reading.rounded ?? one.rounded
    }
    for text in all(.otherNumber).flatMap(Self.unnamed) {
      reading.isbns += ISBN.read(text).isbns.filter { !reading.isbns.contains($0) }
    }
    if !reading.isbns.isEmpty { (reading.trouble, reading.text) = (nil, nil) }
    return reading
  }

  /// The parts of a text such as `isbn:978…,amazon:B00…,goodreads:123` that are labelled as an ISBN or have no label.
  private static func unnamed(_ text: String) -> [String] {
    text.split { ",;|".contains($0) }.map(String.init).filter { part in
      let name = part.prefix { $0 != ":" }.lowercased()
      return !part.contains(":") || name.contains("isbn") || name.contains("urn")
    }
  }

  /// Whether all values are empty.
  package var isEmpty: Bool { texts.allSatisfy(\.isEmpty) }
}

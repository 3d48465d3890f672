import Bibliography
import FoundationEssentials

extension BookRecord {
  /// Reads a row of a table, which a spreadsheet may have saved.
  /// - Throws: `Trouble` if a value is invalid.
  init(_ row: BookTableRow) throws(Trouble) {
    func value(_ column: BookColumn) -> String? { row.text(column).flatMap { $0.isEmpty ? nil : $0 } }
    title = value(.title) ?? ""
    author = row.authors.joined(separator: "; ")
    format = value(.format)
    coverURL = value(.coverURL)
    let numbers = row.isbns
    (isbn, rounded) = (numbers.isbns.first ?? numbers.text, numbers.rounded)
    named = Set(Field.allCases.filter { $0.columns.contains(where: row.has) })
    if let text = value(.certainty) { certainty = try Self.certainty(text) }
    if let text = value(.copies) {
      guard let number = Int(text) else { throw Trouble("copies “\(text.prefix(32))” is not a number") }
      copies = number
    }
    place = Place(id: value(.id), library: value(.library))
    do throws(Trouble) {
      if let text = value(.confidence) { confidence = try Self.confidence(text) }
      if let text = value(.addedAt) { addedAt = try Self.time(text, .addedAt) }
      if let text = value(.confirmedAt) { confirmedAt = try Self.time(text, .confirmedAt) }
    } catch { trouble = error }
  }

  /// Parses a confidence with a decimal point or comma, or in percent.
  private static func confidence(_ text: String) throws(Trouble) -> Double {
    let isPercent = text.hasSuffix("%")
    let digits = text.filter { $0 != "%" && !$0.isWhitespace }
    let point = digits.contains(".") ? digits : digits.replacing(",", with: ".")
    guard let number = Double(point) else {
      throw Trouble(
        "the confidence “\(text.prefix(32))” is not a number from 0 to 1, such as 0.85, or a percentage, such as 85 %"
      )
    }
    let value = isPercent ? number / 100 : number
    guard (0...1).contains(value) else {
      throw Trouble("the confidence “\(text.prefix(32))” is not from 0 to 1, or from 0 to 100 %")
    }
    return value
  }

  /// The row with the library's own values in place of values that a spreadsheet may have spoiled: time and confidence, which a list does not
  /// correct, and an ISBN that became `9.78031E+12`.
  func restored(from book: Book) -> BookRecord {
    var record = self
    (record.trouble, record.confidence) = (nil, nil)
    if let isbn = book.isbn, rounded?.fits(isbn) == true { record.isbn = isbn }
    return record
  }
}

extension BookRecord.Field {
  /// The columns of a table from which the field is read.
  fileprivate var columns: [BookColumn] {
    switch self {
    case .title: [.title]
    case .author: [.author, .sortedAuthor, .furtherAuthor]
    case .isbn: [.isbn, .otherNumber]
    case .format: [.format]
    case .coverURL: [.coverURL]
    case .addedAt: [.addedAt]
    case .confidence: [.confidence]
    case .certainty: [.certainty]
    case .confirmedAt: [.confirmedAt]
    case .copies: [.copies]
    case .id: [.id]
    case .library: [.library]
    case .photo: [.photo]
    case .location: [.location]
    }
  }
}

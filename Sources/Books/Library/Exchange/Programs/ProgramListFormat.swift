import Bibliography
package import FoundationEssentials

/// The file format of a list of books for another program. Fields that the program does not have are left out.
package enum ProgramListFormat: String, Sendable, CaseIterable {
  /// MARC 21 for bibliographic data, binary (ISO 2709) in UTF-8.
  case marc
  /// MARC 21 records as XML (MARCXML).
  case marcxml
  /// BibTeX and biblatex, in UTF-8.
  case bibtex
  /// The columns of a Goodreads export.
  case goodreads
  /// The columns of a LibraryThing export.
  case librarything
  /// The columns of a Calibre CSV catalogue.
  case calibre

  /// Chooses the format by the extension of a file name. Nil if no format has this extension, or if it is the extension of a table.
  package init?(fileName: String) {
    switch fileName.split(separator: ".").last?.lowercased() {
    case "mrc", "marc": self = .marc
    case "xml", "marcxml": self = .marcxml
    case "bib": self = .bibtex
    default: return nil
    }
  }
}

/// Writes books as the text of a file, one after the other.
package protocol BookListWriting: Sendable {
  var opening: String { get }
  var closing: String { get }
  /// - Parameter isFirst: whether this is the first record of the file.
  func text(_ record: BookRecord, isFirst: Bool, _ encoder: JSONEncoder) throws -> String
}

extension BookListFormat: BookListWriting {}

extension ProgramListFormat: BookListWriting {
  package var opening: String {
    switch self {
    case .marc, .bibtex: ""
    case .marcxml: MARCXMLText.opening
    case .goodreads: ProgramTable.goodreads.head
    case .librarything: ProgramTable.libraryThing.head
    case .calibre: ProgramTable.calibre.head
    }
  }

  package var closing: String { self == .marcxml ? MARCXMLText.closing : "" }

  package func text(_ record: BookRecord, isFirst: Bool, _ encoder: JSONEncoder) -> String {
    let book = ProgramRecord(record)
    return switch self {
    case .marc: MARCBinary.text(MARCEntry(book))
    case .marcxml: MARCXMLText.text(MARCEntry(book))
    case .bibtex: BibTeXText.text(book)
    case .goodreads: ProgramTable.goodreads.row(book)
    case .librarything: ProgramTable.libraryThing.row(book)
    case .calibre: ProgramTable.calibre.row(book)
    }
  }
}

/// A book for another program: text without control characters, and separate persons.
struct ProgramRecord {
  /// The maximum number of persons of a book.
  private static let personLimit = 20

  let id: Int64
  let library: String
  let title: String
  let persons: [PersonName]
  let isbn: String?
  let format: String
  let location: String
  let copies: Int
  let added: Date

  init(_ record: BookRecord) {
    id = record.place?.id ?? 0
    library = Self.clean(record.place?.library ?? "")
    title = Self.clean(record.title)
    persons = AuthorNames.all(in: record.author).prefix(Self.personLimit).map(Self.clean)
      .filter { !$0.isEmpty }.map(PersonName.init)
    isbn = record.isbn.flatMap(ISBN.normalize)
    format = Self.clean(record.format ?? "")
    location = Self.clean(record.location ?? "")
    copies = max(1, record.copies ?? 1)
    added = Milliseconds.date(record.addedAt ?? 0)
  }

  /// A single line without the characters that XML 1.0 (section 2.2) forbids.
  private static func clean(_ text: String) -> String {
    let line = CleanText.line(text)
    let kept = line.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0xFFFE && $0.value != 0xFFFF }
    return String(String.UnicodeScalarView(kept))
  }

  /// The day on which the book was added to the library, in UTC. Month and day have two digits.
  var day: (year: String, month: String, day: String) {
    // 2026-11-28T00:15:00Z
    let parts = added.formatted(.iso8601).prefix(10).split(separator: "-").map(String.init)
    return parts.count == 3 ? (parts[0], parts[1], parts[2]) : ("1970", "01", "01")
  }
}

/// A person's name in both orders.
struct PersonName: Equatable {
  /// `Franz Kafka`.
  let plain: String
  /// `Kafka, Franz`.
  let sorted: String

  /// - Parameter text: the name in either order. Without a comma the last word counts as the family name.
  init(_ text: String) {
    let parts = text.split(separator: ",", maxSplits: 1).map { CleanText.line(String($0)) }
    if parts.count == 2 {
      sorted = parts.joined(separator: ", ")
      plain = "\(parts[1]) \(parts[0])"
    } else {
      plain = text
      let words = text.split(separator: " ")
      sorted =
        words.count < 2 ? text : "\(words[words.count - 1]), \(words.dropLast().joined(separator: " "))"
    }
  }
}

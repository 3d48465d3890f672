/// The fields of a MARC 21 record of a book (MARC 21 Format for Bibliographic Data).
///
/// 001 and 003 are the id and the library; 005 and 008 hold the day on which the book was added; 020 $a is the ISBN and $q the kind of edition; 100
/// and 700 $a are persons; 245 $a is the title; 852 $c is the place of the book's shelf, and $t the number of the copy if there are several.
struct MARCEntry {
  enum Field: Equatable {
    case control(tag: String, text: String)
    case data(tag: String, indicators: String, subfields: [Subfield])
  }

  struct Subfield: Equatable {
    var code: Character
    var text: String

    init(_ code: Character, _ text: String) {
      self.code = code
      // A field has at most 9,999 bytes, and no field has two long subfields.
      self.text = Self.cut(text, bytes: MARCEntry.textLimit)
    }

    private static func cut(_ text: String, bytes: Int) -> String {
      guard text.utf8.count > bytes else { return text }
      var (kept, count) = ("", 0)
      for character in text {
        count += character.utf8.count
        guard count <= bytes else { break }
        kept.append(character)
      }
      return kept
    }
  }

  /// The maximum number of bytes of a subfield.
  static let textLimit = 9000
  /// The leader without the lengths: a new, abbreviated record of a printed book, in UTF-8.
  static let leader = (head: "nam a22", tail: "3  4500")

  let fields: [Field]

  init(_ book: ProgramRecord) {
    let (year, month, day) = book.day
    var fields: [Field] = [.control(tag: "001", text: "\(book.id)")]
    if !book.library.isEmpty { fields.append(.control(tag: "003", text: book.library)) }
    fields.append(.control(tag: "005", text: "\(year)\(month)\(day)000000.0"))
    fields.append(.control(tag: "008", text: Self.fixedData(day: "\(year.suffix(2))\(month)\(day)")))
    if let isbn = book.isbn {
      let kind = book.format.isEmpty ? [] : [Subfield("q", String(book.format.prefix(100)))]
      fields.append(.data(tag: "020", indicators: "  ", subfields: [Subfield("a", isbn)] + kind))
    }
    if let first = book.persons.first {
      fields.append(.data(tag: "100", indicators: "1 ", subfields: [Subfield("a", first.sorted)]))
    }
    let title = book.title.isEmpty ? "[title not known]" : book.title
    let hasPerson = book.persons.isEmpty ? "0" : "1"
    fields.append(.data(tag: "245", indicators: "\(hasPerson)0", subfields: [Subfield("a", title)]))
    for person in book.persons.dropFirst() {
      fields.append(.data(tag: "700", indicators: "1 ", subfields: [Subfield("a", person.sorted)]))
    }
    self.fields = fields + Self.copies(book)
  }

  /// The 40 characters of field 008. Dates, place, form, audience and language are unknown.
  private static func fixedData(day: String) -> String {
    day + "n" + "uuuuuuuu" + "xx " + String(repeating: "|", count: 17) + "und" + "|" + "d"
  }

  /// A field for each copy. None if there is a single copy without a location.
  private static func copies(_ book: ProgramRecord) -> [Field] {
    guard !book.location.isEmpty || book.copies > 1 else { return [] }
    return (1...min(book.copies, 100)).map { copy in
      let place = book.location.isEmpty ? [] : [Subfield("c", book.location)]
      let number = book.copies > 1 ? [Subfield("t", "\(copy)")] : []
      return .data(tag: "852", indicators: "  ", subfields: place + number)
    }
  }
}

/// Writes a record as ISO 2709: a leader of 24 characters, a directory of twelve characters per field, then the fields. Lengths are in bytes.
enum MARCBinary {
  private static let (recordEnd, fieldEnd, mark) = ("\u{1D}", "\u{1E}", "\u{1F}")
  /// The maximum length of a record, the largest number with five digits.
  private static let recordLimit = 99_999

  static func text(_ entry: MARCEntry) -> String {
    var (directory, data) = ("", "")
    var length = 0
    for field in entry.fields {
      let (tag, text) = content(field)
      let size = text.utf8.count
      // Only further copies and persons can fail to fit, because they come last.
      guard size <= 9999, 24 + directory.utf8.count + 12 + 1 + length + size + 1 <= recordLimit else {
        continue
      }
      directory += tag + digits(size, 4) + digits(length, 5)
      data += text
      length += size
    }
    let base = 24 + directory.utf8.count + 1
    let leader =
      digits(base + length + 1, 5) + MARCEntry.leader.head + digits(base, 5) + MARCEntry.leader.tail
    return leader + directory + fieldEnd + data + recordEnd
  }

  private static func content(_ field: MARCEntry.Field) -> (tag: String, text: String) {
    switch field {
    case .control(let tag, let text): (tag, text + fieldEnd)
    case .data(let tag, let indicators, let subfields):
      (tag, indicators + subfields.map { "\(mark)\($0.code)\($0.text)" }.joined() + fieldEnd)
    }
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}

/// A record as MARCXML (`http://www.loc.gov/MARC21/slim`).
enum MARCXMLText {
  static let opening = """
    <?xml version="1.0" encoding="UTF-8"?>
    <collection xmlns="http://www.loc.gov/MARC21/slim">

    """
  static let closing = "</collection>\n"

  static func text(_ entry: MARCEntry) -> String {
    let leader = "00000\(MARCEntry.leader.head)00000\(MARCEntry.leader.tail)"
    return "<record>\n<leader>\(leader)</leader>\n" + entry.fields.map(text).joined() + "</record>\n"
  }

  private static func text(_ field: MARCEntry.Field) -> String {
    switch field {
    case .control(let tag, let text): "<controlfield tag=\"\(tag)\">\(escaped(text))</controlfield>\n"
    case .data(let tag, let indicators, let subfields):
      "<datafield tag=\"\(tag)\" ind1=\"\(indicators.prefix(1))\" ind2=\"\(indicators.suffix(1))\">"
        + subfields.map { "<subfield code=\"\($0.code)\">\(escaped($0.text))</subfield>" }.joined()
        + "</datafield>\n"
    }
  }

  /// Escapes scalar by scalar, since a combining mark may follow an escaped character.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}

/// Comma-separated values by RFC 4180, read as the bytes come; lines may end in LF alone. What separates the names of the first line,
/// a comma, a semicolon (spreadsheets where the comma is the decimal point) or a tab, separates the fields of all. Text may be UTF-8 or
/// UTF-16.
///
/// Memory is bounded: a row has at most `columnLimit` fields of at most `fieldLimit` bytes.
struct CSVReader: Sendable {
  struct Row: Equatable {
    /// Where it begins, counted from 1.
    var line: Int
    var fields: [String]
  }

  static let columnLimit = 64
  static let fieldLimit = 16_384

  private enum State { case fieldStart, plain, quoted, quoteInQuoted, carriageReturn }

  private var state = State.fieldStart
  private var fields: [String] = []
  private var field: [UInt8] = []
  private var line = 1
  private var rowLine = 1
  private var unicode = UnicodeReader()
  /// Nil until the first line has shown it.
  private(set) var separator: UInt8?

  private static let equals = Array("=".utf8)
  private static let quote = UInt8(ascii: "\"")
  private static let (comma, semicolon, tab) = (UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"))
  private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

  /// The rows that `bytes` complete; empty lines are none.
  mutating func parse(_ bytes: some Collection<UInt8>) throws(ListTrouble) -> [Row] {
    try rows(unicode.decode(bytes))
  }

  private mutating func rows(_ bytes: some Collection<UInt8>) throws(ListTrouble) -> [Row] {
    var rows: [Row] = []
    for byte in bytes {
      if try take(byte), let row = endRow() { rows.append(row) }
      if byte == Self.lineFeed { line += 1 }
      if state == .fieldStart && fields.isEmpty { rowLine = line }
    }
    return rows
  }

  /// What is left: the last row, when no line end follows it.
  mutating func end() throws(ListTrouble) -> [Row] {
    let rest = try rows(unicode.end())
    guard state != .quoted else { throw trouble("a quotation mark is not closed") }
    guard state != .fieldStart || !fields.isEmpty else { return rest }
    try endField()
    return rest + (endRow().map { [$0] } ?? [])
  }

  /// Whether the row has ended.
  private mutating func take(_ byte: UInt8) throws(ListTrouble) -> Bool {
    switch (state, byte) {
    case (.quoted, Self.quote): state = .quoteInQuoted
    case (.quoted, _): try append(byte)
    case (.carriageReturn, Self.lineFeed), (.fieldStart, Self.lineFeed), (.plain, Self.lineFeed),
      (.quoteInQuoted, Self.lineFeed):
      try endField()
      return true
    case (.carriageReturn, _): throw trouble("a carriage return does not end the line")
    case (_, Self.carriageReturn): state = .carriageReturn
    case (_, _) where isSeparator(byte): try endField()
    case (.fieldStart, Self.quote): state = .quoted
    case (.quoteInQuoted, Self.quote):
      try append(byte)
      state = .quoted
    case (.quoteInQuoted, _): throw trouble("something follows a closing quotation mark")
    // A text that a spreadsheet is kept from taking for a number: ="9780141439587".
    case (.plain, Self.quote) where field == Self.equals:
      field.removeAll(keepingCapacity: true)
      state = .quoted
    case (.plain, Self.quote):
      throw trouble("a quotation mark is inside a field that does not begin with one")
    default:
      state = .plain
      try append(byte)
    }
    return false
  }

  private mutating func isSeparator(_ byte: UInt8) -> Bool {
    if let separator { return byte == separator }
    guard [Self.comma, Self.semicolon, Self.tab].contains(byte) else { return false }
    separator = byte
    return true
  }

  private mutating func append(_ byte: UInt8) throws(ListTrouble) {
    guard field.count < Self.fieldLimit else { throw trouble("a field is longer than 16 KB") }
    field.append(byte)
  }

  private mutating func endField() throws(ListTrouble) {
    guard fields.count < Self.columnLimit else { throw trouble("there are more than 64 fields") }
    guard let text = String(validating: field, as: UTF8.self) else {
      throw trouble("it is neither UTF-8 nor UTF-16 text")
    }
    fields.append(text)
    field.removeAll(keepingCapacity: true)
    state = .fieldStart
  }

  private mutating func endRow() -> Row? {
    defer { fields = [] }
    guard fields != [""] else { return nil }
    separator = separator ?? Self.comma
    return Row(line: rowLine, fields: fields)
  }

  private func trouble(_ reason: String) -> ListTrouble { ListTrouble(line: rowLine, reason: reason) }
}

/// What is wrong with a list of books, and where.
struct ListTrouble: Error, Equatable {
  /// Counted from 1.
  var line: Int
  /// A clause.
  var reason: String
}

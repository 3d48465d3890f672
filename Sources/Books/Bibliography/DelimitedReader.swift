/// Reads rows of values by RFC 4180, and in the variants that programs write, as the bytes arrive.
///
/// Values are separated by commas, semicolons, tabs or bars. The separator is the one that a preceding line `sep=;` names, or else the most frequent
/// one outside quotation marks in the first line. Lines end in LF, CR LF or CR alone, all like the first line. Text is UTF-8 or UTF-16. `="978…"`,
/// which keeps a spreadsheet from reading a text as a number, is read as that text. If tabs are the separator, a quotation mark inside a value is
/// literal.
///
/// A row that breaks the rules is damaged, and reading resumes after the line in which the damage is detected. Memory is bounded: a row has at
/// most `columnLimit` values of at most `fieldLimit` bytes, and `rowLimit` bytes in total. Values of unread columns are not stored.
package struct DelimitedReader: Sendable {
  package enum Row: Equatable, Sendable {
    /// A row; `line` is where it begins, counted from 1.
    case fields([String], line: Int)
    case damaged(ListTrouble)
  }

  static let columnLimit = 1000
  static let fieldLimit = 32_768
  /// The maximum number of bytes stored for a row.
  static let rowLimit = 1 << 20
  /// The maximum number of bytes in a value of an unread column, so that an unclosed quotation mark is detected.
  static let unreadLimit = 1 << 20
  /// The maximum number of bytes in the first line.
  static let headLimit = 65_536

  enum State { case fieldStart, plain, quoted, quoteInQuoted, carriageReturn, skipping }

  private var unicode = UnicodeReader()
  private var start = DelimitedHead()
  private var divider: UInt8?
  private var endsInCarriageReturns = false
  /// The bytes received after the first line.
  private var waiting: [UInt8] = []

  private var state = State.fieldStart
  private var fields: [String] = []
  private var field: [UInt8] = []
  private var fieldCount = 0
  private var hasContent = false
  /// The number of bytes in the values of the row that precede the present value.
  private var kept = 0
  private var line = 1
  private var rowLine = 1
  private var lastWasReturn = false
  /// Whether each column is read. Columns beyond the end of this list are read.
  private var isRead: [Bool] = []

  private static let (quote, tab) = (UInt8(ascii: "\""), UInt8(ascii: "\t"))
  private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

  package init() {}

  /// The values of the first line that has any value. Nil until that line is complete.
  package mutating func head(_ bytes: some Collection<UInt8>) throws(ListTrouble) -> [String]? {
    waiting += unicode.decode(bytes)
    guard let found = try start.take(&waiting) else { return nil }
    return try begin(found)
  }

  /// The values of the first line, if the file ends before another line. Nil if the file has no line with a value.
  package mutating func headAtEnd() throws(ListTrouble) -> [String]? {
    waiting += unicode.end()
    if let found = try start.take(&waiting) { return try begin(found) }
    return try start.end().map { found throws(ListTrouble) in try begin(found) }
  }

  /// From now on, reads only the columns for which `columns` is true. Values of other columns are returned empty.
  package mutating func read(only columns: [Bool]) { isRead = columns }

  /// The rows that end in `bytes`. Empty lines are skipped.
  package mutating func parse(_ bytes: some Collection<UInt8>) -> [Row] {
    let first = rows(waiting)
    waiting = []
    return first + rows(unicode.decode(bytes))
  }

  /// The rows left at the end of the file: the last row, if no line end follows it. `isCut`: whether this row may be incomplete.
  package mutating func end() -> (rows: [Row], isCut: Bool) {
    let rest = parse([]) + rows(unicode.end())
    switch state {
    case .quoted:
      field = []
      return (rest + [.damaged(trouble("a quotation mark is not closed"))], false)
    case .skipping: return (rest, false)
    case .fieldStart where fields.isEmpty: return (rest, false)
    case .fieldStart, .plain, .quoteInQuoted, .carriageReturn:
      return (rest + rows([Self.lineFeed]), state != .carriageReturn)
    }
  }

  private mutating func begin(_ found: DelimitedHead.Found) throws(ListTrouble) -> [String] {
    divider = found.divider
    endsInCarriageReturns = found.endsInCarriageReturn
    line = found.line
    rowLine = found.line
    for row in rows(found.bytes) + rows([Self.lineFeed]) {
      switch row {
      case .fields(let names, _): return names
      case .damaged(let trouble): throw trouble
      }
    }
    throw trouble(state == .quoted ? "a quotation mark is not closed" : "its first line names no column")
  }

  private mutating func rows(_ bytes: some Sequence<UInt8>) -> [Row] {
    var rows: [Row] = []
    for var byte in bytes {
      if endsInCarriageReturns {
        let isSecond = lastWasReturn && byte == Self.lineFeed
        lastWasReturn = byte == Self.carriageReturn
        if isSecond { continue }
        if lastWasReturn { byte = Self.lineFeed }
      }
      if let row = take(byte) { rows.append(row) }
      if byte == Self.lineFeed { line += 1 }
      if state == .fieldStart && fields.isEmpty { rowLine = line }
    }
    return rows
  }

  private var isFieldRead: Bool { fields.count >= isRead.count || isRead[fields.count] }

  /// Takes a byte. Returns the row if it ends with this byte.
  private mutating func take(_ byte: UInt8) -> Row? {
    switch (state, byte) {
    case (.skipping, _): if byte == Self.lineFeed { state = .fieldStart }
    case (.quoted, Self.quote): state = .quoteInQuoted
    case (.quoted, _): return append(byte)
    case (_, Self.lineFeed): return endField(with: byte) ?? endRow()
    case (.carriageReturn, _): return damage("a carriage return does not end the line", byte)
    case (_, Self.carriageReturn): state = .carriageReturn
    case (_, divider): return endField(with: byte)
    case (.fieldStart, Self.quote): state = .quoted
    case (.quoteInQuoted, Self.quote):
      state = .quoted
      return append(byte)
    case (.quoteInQuoted, _): return takeAfterQuotes(byte)
    case (.plain, Self.quote) where field == [UInt8(ascii: "=")] && fieldCount == 1:
      field = []
      fieldCount = 0
      state = .quoted
    case (.plain, Self.quote) where divider != Self.tab && isFieldRead:
      return damage("a quotation mark is inside a field that does not begin with one", byte)
    case (.fieldStart, _), (.plain, _):
      state = .plain
      return append(byte)
    }
    return nil
  }

  /// Takes a byte after a closing quotation mark. Programs that separate values by tabs do not quote them, so in their tables the quotation marks
  /// belong to the value.
  private mutating func takeAfterQuotes(_ byte: UInt8) -> Row? {
    guard divider == Self.tab else {
      return damage("something follows a closing quotation mark", byte)
    }
    state = .plain
    field = [Self.quote] + field
    return append(Self.quote) ?? append(byte)
  }

  private mutating func append(_ byte: UInt8) -> Row? {
    fieldCount += 1
    hasContent = true
    guard isFieldRead else {
      guard fieldCount <= Self.unreadLimit else { return damage("a field is longer than 1 MB", byte) }
      if fieldCount == 1 { field = [byte] }
      return nil
    }
    guard field.count < Self.fieldLimit else { return damage("a field is longer than 32 KB", byte) }
    field.append(byte)
    return nil
  }

  /// Ends a value. Returns the row only if it is damaged.
  private mutating func endField(with byte: UInt8) -> Row? {
    guard fields.count < Self.columnLimit else {
      return damage("there are more than \(Self.columnLimit) fields", byte)
    }
    if isFieldRead {
      guard let text = String(validating: Self.bare(field), as: UTF8.self) else {
        return damage("it is neither UTF-8 (in Excel: CSV UTF-8) nor UTF-16", byte)
      }
      fields.append(text)
      kept += field.count
      guard kept <= Self.rowLimit else { return damage("a row is longer than 1 MB", byte) }
    } else {
      fields.append("")
    }
    field.removeAll(keepingCapacity: true)
    fieldCount = 0
    state = .fieldStart
    return nil
  }

  /// The text in a value that was quoted as a whole: `"=""978…"""`.
  private static func bare(_ field: [UInt8]) -> [UInt8] {
    guard field.count > 2, field.starts(with: "=\"".utf8), field.last == quote else { return field }
    var (text, isSecond): ([UInt8], Bool) = ([], false)
    for byte in field.dropFirst(2).dropLast() {
      isSecond = byte == quote && !isSecond && text.last == quote
      if !isSecond { text.append(byte) }
    }
    return text
  }

  private mutating func endRow() -> Row? {
    defer { (fields, hasContent, kept) = ([], false, 0) }
    return hasContent ? .fields(fields, line: rowLine) : nil
  }

  /// - Parameter byte: the last byte that was read. If it is a line end, the damaged row ends with it.
  private mutating func damage(_ reason: String, _ byte: UInt8) -> Row {
    fields = []
    field = []
    fieldCount = 0
    hasContent = false
    kept = 0
    state = byte == Self.lineFeed ? .fieldStart : .skipping
    return .damaged(trouble(reason))
  }

  private func trouble(_ reason: String) -> ListTrouble { ListTrouble(line: rowLine, reason: reason) }
}

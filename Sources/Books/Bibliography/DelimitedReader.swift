/// Rows of values by RFC 4180 and as programs write them, read as the bytes come.
///
/// Commas, semicolons, tabs or bars divide them, whichever the first line has most of outside quotation marks, or what a line `sep=;` before it says.
/// Lines end in LF, CR and LF, or CR alone, as the first does. Text is UTF-8 or UTF-16. `="978…"`, which keeps a spreadsheet from taking a
/// text for a number, is that text. Where tabs divide, a quotation mark inside a value is one.
///
/// A row that breaks the rules is damaged, and reading goes on with the line after the one where that is noticed. Memory is bounded: a row has
/// at most `columnLimit` values of at most `fieldLimit` bytes, and `rowLimit` bytes together. A value that nobody reads is not kept.
package struct DelimitedReader: Sendable {
  package enum Row: Equatable, Sendable {
    /// `line` is where it begins, counted from 1.
    case fields([String], line: Int)
    case damaged(ListTrouble)
  }

  static let columnLimit = 1000
  static let fieldLimit = 32_768
  /// Most bytes of a row that are kept.
  static let rowLimit = 1 << 20
  /// Most bytes of a value that nobody reads: a quotation mark that is not closed must end somewhere.
  static let unreadLimit = 1 << 20
  /// Most bytes of the first line.
  static let headLimit = 65_536

  enum State { case fieldStart, plain, quoted, quoteInQuoted, carriageReturn, skipping }

  private var unicode = UnicodeReader()
  private var start = DelimitedHead()
  private var divider: UInt8?
  private var endsInCarriageReturns = false
  /// What stood behind the first line when that was read.
  private var waiting: [UInt8] = []

  private var state = State.fieldStart
  private var fields: [String] = []
  private var field: [UInt8] = []
  private var fieldCount = 0
  private var hasContent = false
  /// Bytes of the values before.
  private var kept = 0
  private var line = 1
  private var rowLine = 1
  private var lastWasReturn = false
  /// Which columns are read; those beyond are.
  private var isRead: [Bool] = []

  private static let (quote, tab) = (UInt8(ascii: "\""), UInt8(ascii: "\t"))
  private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

  package init() {}

  /// The values of the first line that has any; nil as long as it is not whole.
  package mutating func head(_ bytes: some Collection<UInt8>) throws(ListTrouble) -> [String]? {
    waiting += unicode.decode(bytes)
    guard let found = try start.take(&waiting) else { return nil }
    return try begin(found)
  }

  /// The same at the end of the file; nil where there is none.
  package mutating func headAtEnd() throws(ListTrouble) -> [String]? {
    waiting += unicode.end()
    if let found = try start.take(&waiting) { return try begin(found) }
    return try start.end().map { found throws(ListTrouble) in try begin(found) }
  }

  /// Values of other columns are passed over from here on: they are empty.
  package mutating func read(only columns: [Bool]) { isRead = columns }

  /// The rows that `bytes` complete; empty ones are none.
  package mutating func parse(_ bytes: some Collection<UInt8>) -> [Row] {
    let first = rows(waiting)
    waiting = []
    return first + rows(unicode.decode(bytes))
  }

  /// What is left: the last row, when no line end follows it.
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
    throw trouble(state == .quoted ? "a quotation mark is not closed" : "it names no column")
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

  /// The row when it ends with this byte.
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

  /// Programs that divide by tabs quote nothing: the quotation marks belong to the value.
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

  /// The row only when it is damaged.
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

  /// A whole value that was quoted as `"=""978…"""`.
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

  /// - Parameter byte: the one that was read last: a line end ends the damage too.
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

/// Rows of values by RFC 4180, read as the bytes come. Commas, semicolons or tabs divide them, whichever the first line has most of
/// outside quotation marks; lines may end in LF alone, and a byte order mark is skipped.
///
/// A row that breaks the rules is damaged, and reading goes on with the line after the one where that is noticed. Memory is bounded: a row has at most
/// `columnLimit` fields of at most `fieldLimit` bytes.
struct DelimitedReader {
  enum Row: Equatable {
    /// `line` is where it begins, counted from 1.
    case fields([String], line: Int)
    case damaged(line: Int, reason: String)
  }

  static let columnLimit = 256
  static let fieldLimit = 16_384
  /// Most bytes of the first line.
  static let headLimit = 65_536

  private enum State { case fieldStart, plain, quoted, quoteInQuoted, carriageReturn, skipping }

  private var state = State.fieldStart
  private var fields: [String] = []
  private var field: [UInt8] = []
  private var line = 1
  private var rowLine = 1
  private var divider: UInt8?
  /// The first line, until it is known what divides it.
  private var head: [UInt8] = []

  private static let (quote, lineFeed) = (UInt8(ascii: "\""), UInt8(ascii: "\n"))
  private static let carriageReturn = UInt8(ascii: "\r")

  /// The rows that `bytes` complete; empty lines are none.
  mutating func parse(_ bytes: ArraySlice<UInt8>) throws(ListRefusal) -> [Row] {
    guard divider == nil else { return rows(bytes) }
    guard let end = bytes.firstIndex(of: Self.lineFeed) else {
      head += bytes
      guard head.count <= Self.headLimit else { throw ListRefusal(reason: "its first line is over 64 KB") }
      return []
    }
    head += bytes[...end]
    return try begin() + rows(bytes[(end + 1)...])
  }

  /// What is left: the last row, when no line end follows it.
  mutating func end() throws(ListRefusal) -> [Row] {
    let first = divider == nil ? try begin() : []
    switch state {
    case .quoted:
      field = []
      return first + [.damaged(line: rowLine, reason: "a quotation mark is not closed")]
    case .skipping: return first
    case .fieldStart where fields.isEmpty: return first
    default: return first + rows([Self.lineFeed])
    }
  }

  private mutating func begin() throws(ListRefusal) -> [Row] {
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      throw ListRefusal(reason: "it is UTF-16; save it as UTF-8")
    }
    let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    divider = Self.divider(of: text)
    head = []
    return rows(text)
  }

  private static func divider(of line: ArraySlice<UInt8>) -> UInt8 {
    var (counts, isQuoted): ([UInt8: Int], Bool) = ([:], false)
    for byte in line {
      if byte == quote { isQuoted.toggle() }
      if !isQuoted, ",;\t".utf8.contains(byte) { counts[byte, default: 0] += 1 }
    }
    let comma = UInt8(ascii: ",")
    return counts.max { ($0.value, $0.key == comma ? 1 : 0) < ($1.value, $1.key == comma ? 1 : 0) }?.key
      ?? comma
  }

  private mutating func rows(_ bytes: some Sequence<UInt8>) -> [Row] {
    var rows: [Row] = []
    for byte in bytes {
      if let row = take(byte) { rows.append(row) }
      if byte == Self.lineFeed { line += 1 }
      if state == .fieldStart && fields.isEmpty { rowLine = line }
    }
    return rows
  }

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
    case (.quoteInQuoted, _): return damage("something follows a closing quotation mark", byte)
    case (.plain, Self.quote):
      return damage("a quotation mark is inside a field that does not begin with one", byte)
    default:
      state = .plain
      return append(byte)
    }
    return nil
  }

  private mutating func append(_ byte: UInt8) -> Row? {
    guard field.count < Self.fieldLimit else { return damage("a field is longer than 16 KB", byte) }
    field.append(byte)
    return nil
  }

  /// The row only when it is damaged.
  private mutating func endField(with byte: UInt8) -> Row? {
    guard fields.count < Self.columnLimit else { return damage("there are more than 256 fields", byte) }
    guard let text = String(validating: field, as: UTF8.self) else {
      return damage("it is not UTF-8 text", byte)
    }
    fields.append(text)
    field.removeAll(keepingCapacity: true)
    state = .fieldStart
    return nil
  }

  private mutating func endRow() -> Row? {
    defer { fields = [] }
    return fields == [""] ? nil : .fields(fields, line: rowLine)
  }

  /// - Parameter byte: the one that was read last: a line end ends the damage too.
  private mutating func damage(_ reason: String, _ byte: UInt8) -> Row {
    fields = []
    field.removeAll()
    state = byte == Self.lineFeed ? .fieldStart : .skipping
    return .damaged(line: rowLine, reason: reason)
  }
}

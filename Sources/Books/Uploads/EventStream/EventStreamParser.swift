/// One event of a server's event stream.
public struct ServerSentEvent: Sendable, Equatable {
  /// The type of the event; `message` if the stream names none.
  public var type: String
  /// The data lines, joined by line feeds.
  public var data: String
  /// The last event id in effect when the event was dispatched. Empty if there is none.
  public var lastEventID: String

  /// Creates an event, as parsers do.
  public init(type: String, data: String, lastEventID: String) {
    self.type = type
    self.data = data
    self.lastEventID = lastEventID
  }
}

/// An error: an event or a part of it exceeds the parser's limit.
public struct EventTooLarge: Error, Equatable, CustomStringConvertible {
  /// The part that is too large. Its raw value is its name for a person.
  public enum Part: String, Sendable {
    /// All data lines together.
    case whole = "event"
    /// The `id` field.
    case id = "event id"
    /// The `event` field.
    case type = "event type"
  }

  /// The part that is too large.
  public let part: Part
  /// The size in bytes that the part exceeds.
  public let limit: Int

  /// - Parameter limit: the size in bytes that the part exceeds.
  public init(_ part: Part = .whole, limit: Int) {
    self.part = part
    self.limit = limit
  }

  var reason: String { "one \(part.rawValue) is larger than \(limit) bytes" }
  public var description: String {
    "Cannot read the event stream: \(reason); the server is at fault, try again later."
  }
}

/// Parses the bytes of a `text/event-stream` into events. The bytes may arrive in pieces of any size.
///
/// Follows the WHATWG HTML standard, section 9.2.6 "Interpreting an event stream": UTF-8 with replacement; one byte order mark is skipped; lines
/// end with CR, LF or CR LF; an event without its blank line is dropped; an id with a NUL is ignored. Memory is bounded: an event, including
/// comments between its lines, may have at most `limit` bytes, its id and its type `nameLimit` each, since the id is sent back with the next
/// connection. A reconnection time of more than `digitLimit` digits is ignored.
public struct EventStreamParser: Sendable {
  /// The value of `Last-Event-ID` for the next connection.
  public private(set) var lastEventID: String
  /// The reconnection time that the stream has requested, in milliseconds. Nil if it has requested none.
  public private(set) var reconnectionMilliseconds: Int?

  static let (nameLimit, digitLimit) = (1024, 18)
  private let limit: Int
  private var line: [UInt8] = []
  private var data: [UInt8] = []
  private var type = ""
  private var idBuffer: String
  private var eventBytes = 0
  private var skipsLineFeed = false
  private var isFirstLine = true

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// - Parameters:
  ///   - lastEventID: the id in effect at the end of an earlier connection of the same stream.
  ///   - limit: the maximum size of an event in bytes.
  public init(lastEventID: String = "", limit: Int = 1 << 16) {
    self.lastEventID = lastEventID
    idBuffer = lastEventID
    self.limit = limit
  }

  /// The events that end in `bytes`. After an error the parser cannot be used any more.
  public mutating func parse(_ bytes: ArraySlice<UInt8>) throws(EventTooLarge) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    var rest = bytes
    if skipsLineFeed, let first = rest.first {
      skipsLineFeed = false
      if first == Self.lineFeed { rest = rest.dropFirst() }
    }
    while let end = rest.firstIndex(where: { $0 == Self.lineFeed || $0 == Self.carriageReturn }) {
      try append(rest[..<end])
      let ending = rest[end]
      rest = rest[(end + 1)...]
      if ending == Self.carriageReturn { skipLineFeed(&rest) }
      if let event = try endLine() { events.append(event) }
    }
    try append(rest)
    return events
  }

  private mutating func skipLineFeed(_ rest: inout ArraySlice<UInt8>) {
    if rest.isEmpty { skipsLineFeed = true } else if rest.first == Self.lineFeed { rest = rest.dropFirst() }
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) throws(EventTooLarge) {
    eventBytes += bytes.count
    guard eventBytes <= limit else { throw EventTooLarge(limit: limit) }
    line.append(contentsOf: bytes)
  }

  /// Interprets a complete line. Returns the event if the line is blank.
  private mutating func endLine() throws(EventTooLarge) -> ServerSentEvent? {
    defer { line.removeAll(keepingCapacity: true) }
    if isFirstLine {
      isFirstLine = false
      if line.starts(with: Self.byteOrderMark) { line.removeFirst(3) }
    }
    guard !line.isEmpty else { return dispatch() }
    eventBytes += 1
    try interpretField()
    return nil
  }

  private mutating func interpretField() throws(EventTooLarge) {
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch String(decoding: line[..<colon].prefix(8), as: UTF8.self) {
    case "event":
      guard value.count <= Self.nameLimit else { throw EventTooLarge(.type, limit: Self.nameLimit) }
      type = String(decoding: value, as: UTF8.self)
    case "data":
      data.append(contentsOf: value)
      data.append(Self.lineFeed)
    case "id":
      guard value.count <= Self.nameLimit else { throw EventTooLarge(.id, limit: Self.nameLimit) }
      if !value.contains(0) { idBuffer = String(decoding: value, as: UTF8.self) }
    case "retry": setReconnection(value)
    default: break
    }
  }

  /// Sets the reconnection time, if the value consists of ASCII digits.
  private mutating func setReconnection(_ value: ArraySlice<UInt8>) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard (1...Self.digitLimit).contains(value.count), value.allSatisfy(digits.contains) else { return }
    if let milliseconds = Int(String(decoding: value, as: UTF8.self)) {
      reconnectionMilliseconds = milliseconds
    }
  }

  private mutating func dispatch() -> ServerSentEvent? {
    defer {
      data.removeAll(keepingCapacity: data.capacity <= 1 << 16)
      type = ""
      eventBytes = 0
    }
    lastEventID = idBuffer
    guard !data.isEmpty else { return nil }
    return ServerSentEvent(
      type: type.isEmpty ? "message" : type, data: String(decoding: data.dropLast(), as: UTF8.self),
      lastEventID: lastEventID)
  }
}

package import JSON

/// A message of a client on the control channel.
package enum ClientMessage: Equatable, Sendable {
  case command(id: String, name: String, arguments: [String: JSONValue])
  /// Values that a page read from the pixels it drew.
  case shown(JSONValue)
  /// A request for the time.
  case clock(id: String)

  /// The maximum size of a message in bytes.
  package static let byteLimit = 1 << 16
  /// The maximum size in bytes of evidence, which is sent to all clients.
  static let evidenceLimit = 1 << 10
  /// The maximum size of an id or a name in bytes.
  static let nameLimit = 128

  /// - Throws: an error that describes the flaw in one clause.
  package init(_ bytes: [UInt8]) throws(JSONError) {
    guard bytes.count <= Self.byteLimit else {
      throw JSONError(reason: "a message must have at most \(Self.byteLimit >> 10) KiB")
    }
    let value = try JSONParser.parse(bytes)
    let fields = try JSONFields(value)
    switch try fields.string("type") {
    case "command":
      let (id, name) = (try Self.short("id", fields), try Self.short("command", fields))
      self = .command(
        id: id, name: name, arguments: fields.has("arguments") ? try fields.object("arguments").members : [:])
    case "shown": self = .shown(value)
    case "clock": self = .clock(id: try Self.short("id", fields))
    default: throw JSONError(reason: "type must be command, shown or clock")
    }
  }

  private static func short(_ key: String, _ fields: JSONFields) throws(JSONError) -> String {
    let text = try fields.string(key)
    guard text.utf8.count <= nameLimit else {
      throw fields.complaint(key, "must have at most \(nameLimit) bytes")
    }
    return text
  }
}

package import JSON

/// What a client says on the control channel.
package enum ClientMessage: Equatable, Sendable {
  case command(id: String, name: String, arguments: [String: JSONValue])
  /// What a page read from the pixels that it drew.
  case shown(JSONValue)
  /// Asks for the time.
  case clock(id: String)

  /// Bytes of the largest message.
  package static let byteLimit = 1 << 16
  /// Bytes of evidence, which is told to all.
  static let evidenceLimit = 1 << 10
  /// Bytes of an id or a name.
  static let nameLimit = 128

  /// - Throws: what is wrong with it, in one clause.
  package init(_ bytes: [UInt8]) throws(JSONError) {
    guard bytes.count <= Self.byteLimit else {
      throw JSONError(reason: "a message has at most \(Self.byteLimit >> 10) KiB")
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

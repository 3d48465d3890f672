import JSON

/// An error in a file of token profiles, such as "profiles[2].asOf must be a day such as 2026-11-21".
public struct TokenFileError: Error, Hashable, CustomStringConvertible {
  /// The member, and the requirement that it violates.
  public let description: String
}

extension TokenProfile {
  /// The largest number of profiles in a file.
  static let fileLimit = 200

  /// Reads a file of token profiles, schema `swiftwing-tokens/1` (`Profiles/tokens.json` is one).
  /// - Parameter file: JSON; the caller must have limited its size.
  /// - Throws: the first error; no profile of the file is then returned.
  public static func read(_ file: [UInt8]) throws(TokenFileError) -> [TokenProfile] {
    do throws(JSONError) {
      let fields = try JSONFields(JSONParser.parse(file))
      let schema = try fields.string("schema")
      guard schema == "swiftwing-tokens/1" else {
        throw JSONError(reason: "schema must be swiftwing-tokens/1, not \(schema)")
      }
      let profiles = try fields.list("profiles", atMost: fileLimit) { fields throws(JSONError) in
        try TokenProfile(fields)
      }
      var ids: Set<String> = []
      for profile in profiles where !ids.insert(profile.id).inserted {
        throw JSONError(reason: "there is more than one profile \(profile.id)")
      }
      return profiles
    } catch { throw TokenFileError(description: error.reason) }
  }

  private init(_ fields: JSONFields) throws(JSONError) {
    id = try fields.string("id")
    guard (1...40).contains(id.utf8.count), id.utf8.allSatisfy(Self.isOfID) else {
      throw JSONError(
        reason:
          "\(fields.name("id")) must be 1 to 40 of a to z, 0 to 9, point and hyphen, such as gemini-2.5")
    }
    vendor = try fields.line("vendor")
    title = try fields.line("title")
    source = try fields.line("source")
    asOf = try fields.line("asOf")
    guard Self.isDay(asOf) else {
      throw JSONError(reason: "\(fields.name("asOf")) must be a day such as 2026-11-21")
    }
    rule = try TokenRule(fields.object("rule"))
  }

  private static func isOfID(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Whether the text is a day, YYYY-MM-DD (ISO 8601).
  private static func isDay(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard text.utf8.count == 10, parts.map(\.utf8.count) == [4, 2, 2],
      let month = UInt8(parts[1]), let day = UInt8(parts[2]), UInt16(parts[0]) != nil
    else { return false }
    return (1...12).contains(month) && (1...31).contains(day)
  }
}

extension JSONFields {
  /// One line of text for a person, without control characters.
  fileprivate func line(_ key: String) throws(JSONError) -> String {
    let text = try string(key)
    guard !text.isEmpty, text.utf8.count <= 500,
      !text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
    else { throw JSONError(reason: "\(name(key)) must be one line of 1 to 500 bytes") }
    return text
  }
}

extension TokenRule {
  private enum Kind: String, CaseIterable {
    case grid
    case cropUnits = "crop-units"
    case flat, area, tiles, patches
    case paddedPatches = "padded-patches"
    case smartResize = "smart-resize"
  }

  private enum Rounding: String, CaseIterable { case nearest, up }

  fileprivate init(_ fields: JSONFields) throws(JSONError) {
    // Within these limits no number of tokens overflows, however large a picture is.
    let (tokens, areas) = (1...1_000_000, 1...1_000_000_000)
    switch try fields.choice("kind", Kind.self) {
    case .grid:
      self = .grid(
        side: try fields.integer("side", in: 16...100_000), tokens: try fields.integer("tokens", in: tokens))
    case .cropUnits: self = .cropUnits
    case .flat:
      self = .flat(
        tokens: try fields.integer("tokens", in: tokens),
        side: fields.has("side") ? try fields.integer("side", in: 16...100_000) : nil)
    case .area:
      self = .area(
        pixels: try fields.integer("pixels", in: 1...1_000_000),
        edge: try fields.integer("edge", in: 28...100_000),
        tokens: try fields.integer("tokens", in: tokens))
    case .tiles:
      self = .tiles(
        base: try fields.integer("base", in: 0...1_000_000), tile: try fields.integer("tile", in: tokens))
    case .patches:
      self = .patches(
        cap: try fields.integer("cap", in: tokens),
        hundredths: try fields.integer("hundredths", in: 1...1_000_000),
        side: fields.has("side") ? try fields.integer("side", in: 16...100_000) : nil,
        roundsUp: fields.has("rounding") ? try fields.choice("rounding", Rounding.self) == .up : false)
    case .paddedPatches:
      self = .paddedPatches(
        edge: try fields.integer("edge", in: 28...100_000), tokens: try fields.integer("tokens", in: tokens)
      )
    case .smartResize:
      let factor = try fields.integer("factor", in: 1...10_000)
      let least = try fields.integer("least", in: areas)
      let largest = try fields.integer("most", in: areas)
      guard least <= largest else {
        throw JSONError(reason: "\(fields.name("least")) must be at most \(fields.name("most"))")
      }
      self = .smartResize(factor: factor, area: least...largest)
    }
  }
}

import JSON

/// A schema, or a part of one, with its keywords parsed.
final class SchemaRule: Sendable {
  /// Whether this is the schema `false`.
  let refusesAll: Bool
  /// The name in `$defs`. If it is set, all other keywords are ignored.
  let reference: String?
  let types: SchemaTypes?
  let constant: JSONValue?
  let allowed: [JSONValue]?
  let minimum: Double?
  let maximum: Double?
  let minLength: Int?
  let maxLength: Int?
  let pattern: String?
  let required: [String]
  let properties: [String: SchemaRule]
  let additional: SchemaRule?
  let items: SchemaRule?
  let minItems: Int?
  let maxItems: Int?
  let allOf: [SchemaRule]
  let condition: SchemaRule?
  let consequence: SchemaRule?

  var bindsNumbers: Bool { minimum != nil || maximum != nil }

  init(_ schema: JSONValue) {
    func rule(_ key: String) -> SchemaRule? { schema[key].map { SchemaRule($0) } }
    func count(_ key: String) -> Int? { schema[key]?.number.map { Int($0) } }
    refusesAll = schema == .bool(false)
    reference = schema["$ref"]?.string.map { $0.split(separator: "/").last.map(String.init) ?? "" }
    types = schema["type"].map { SchemaTypes($0) }
    constant = schema["const"]
    allowed = schema["enum"]?.array
    minimum = schema["minimum"]?.number
    maximum = schema["maximum"]?.number
    (minLength, maxLength) = (count("minLength"), count("maxLength"))
    pattern = schema["pattern"]?.string
    required = (schema["required"]?.array ?? []).compactMap(\.string)
    properties = (schema["properties"]?.object ?? [:]).mapValues { SchemaRule($0) }
    additional = rule("additionalProperties")
    items = rule("items")
    (minItems, maxItems) = (count("minItems"), count("maxItems"))
    allOf = (schema["allOf"]?.array ?? []).map { SchemaRule($0) }
    (condition, consequence) = (rule("if"), rule("then"))
  }
}

struct SchemaTypes: OptionSet, Sendable {
  let rawValue: Int
  static let null = SchemaTypes(rawValue: 1)
  static let boolean = SchemaTypes(rawValue: 2)
  static let number = SchemaTypes(rawValue: 4)
  static let integer = SchemaTypes(rawValue: 8)
  static let string = SchemaTypes(rawValue: 16)
  static let array = SchemaTypes(rawValue: 32)
  static let object = SchemaTypes(rawValue: 64)

  private static let named: [String: SchemaTypes] = [
    "null": .null, "boolean": .boolean, "number": .number, "integer": .integer, "string": .string,
    "array": .array, "object": .object,
  ]

  init(rawValue: Int) { self.rawValue = rawValue }

  /// - Parameter keyword: the name of a type, or an array of names.
  init(_ keyword: JSONValue) {
    let names = keyword.array?.compactMap(\.string) ?? [keyword.string ?? ""]
    self.init(names.compactMap { Self.named[$0] })
  }
}

extension JSONValue {
  /// Returns whether the value has one of the types. A whole number is an integer even if it is written with a fraction.
  func isOf(_ types: SchemaTypes) -> Bool {
    switch self {
    case .null: types.contains(.null)
    case .bool: types.contains(.boolean)
    case .integer: !types.isDisjoint(with: [.number, .integer])
    case .number(let value): types.contains(.number) || (types.contains(.integer) && value == value.rounded())
    case .string: types.contains(.string)
    case .array: types.contains(.array)
    case .object: types.contains(.object)
    }
  }
}

import Foundation
import JSON

/// A validator for the part of JSON Schema 2020-12 that the schema of the report uses: `type`, `const`, `enum`, `required`, `properties`,
/// `additionalProperties`, `items`, `minItems`, `maxItems`, `minimum`, `maximum`, `minLength`, `maxLength`, `pattern`, `$ref` into `$defs`,
/// `allOf`, and `if` / `then`.
struct JSONSchema: Sendable {
  private let root: SchemaRule
  private let definitions: [String: SchemaRule]

  /// Parses the rules once, so that checking a value of a long document only compares.
  init(root: JSONValue) {
    self.root = SchemaRule(root)
    definitions = (root["$defs"]?.object ?? [:]).mapValues { SchemaRule($0) }
  }

  /// The published schema of the report.
  static let report: JSONSchema = {
    // The schema is compiled in and every test reads it, so parsing succeeds.
    JSONSchema(root: (try? JSONParser.parse(PackageResources.report_schema_json)) ?? .bool(false))
  }()

  /// The place of a value, turned into words only for a complaint. (Closures would also do, but the compiler makes a copy of the validator for
  /// each of them: 8 MB of code.)
  private indirect enum Path {
    case document
    case member(Path, String)
    case element(Path, Int)

    /// The path, such as `.scenarios[3].id`. Empty for the document.
    var text: String {
      switch self {
      case .document: ""
      case .member(let path, let key): "\(path.text).\(key)"
      case .element(let path, let index): "\(path.text)[\(index)]"
      }
    }
  }

  /// Returns the violations of the schema in the document, each as a clause; at most 20.
  func violations(of document: JSONValue) -> [String] {
    Array(check(document, root, at: .document).prefix(20))
  }

  private func check(_ value: JSONValue, _ rule: SchemaRule, at path: Path) -> [String] {
    if rule.refusesAll { return ["\(name(path)) is not allowed"] }
    if let reference = rule.reference {
      // A reference without a definition allows nothing.
      return definitions[reference].map { check(value, $0, at: path) } ?? ["\(name(path)) is not allowed"]
    }
    var found = scalarViolations(value, rule, path: path)
    guard found.isEmpty else { return found }
    switch value {
    case .object(let members): found = objectViolations(members, rule, path: path)
    case .array(let elements): found = arrayViolations(elements, rule, path: path)
    case .null, .bool, .integer, .number, .string: break
    }
    for part in rule.allOf { found += check(value, part, at: path) }
    if let condition = rule.condition, let then = rule.consequence, check(value, condition, at: path).isEmpty
    {
      found += check(value, then, at: path)
    }
    return found
  }

  private func scalarViolations(_ value: JSONValue, _ rule: SchemaRule, path: Path) -> [String] {
    var found: [String] = []
    if let types = rule.types, !value.isOf(types) { found.append("\(name(path)) is \(value.type)") }
    if let constant = rule.constant, !constant.isSame(as: value) {
      found.append("\(name(path)) is not \(constant.text)")
    }
    if let allowed = rule.allowed, !allowed.contains(where: { $0.isSame(as: value) }) {
      found.append("\(name(path)) is not one of \(allowed.map(\.text).joined(separator: ", "))")
    }
    if rule.bindsNumbers, let number = value.number {
      if let least = rule.minimum, number < least { found.append("\(name(path)) is below \(least)") }
      if let most = rule.maximum, number > most { found.append("\(name(path)) is above \(most)") }
    }
    if let text = value.string {
      if let least = rule.minLength, least == 1 ? text.isEmpty : text.count < least {
        found.append("\(name(path)) is empty")
      }
      if let most = rule.maxLength, text.unicodeScalars.count > most {
        found.append("\(name(path)) is longer than \(most) characters")
      }
      if let pattern = rule.pattern, text.range(of: pattern, options: .regularExpression) == nil {
        found.append("\(name(path)) does not look like \(pattern)")
      }
    }
    return found
  }

  /// Returns the missing members, then the violations of the others, sorted by name.
  private func objectViolations(_ members: [String: JSONValue], _ rule: SchemaRule, path: Path) -> [String] {
    let missing = rule.required.filter { members[$0] == nil }.map { key in
      "\(name(.member(path, key))) is missing"
    }
    guard !rule.properties.isEmpty || rule.additional != nil else { return missing }
    var wrong: [(key: String, clauses: [String])] = []
    for (key, member) in members {
      guard let rule = rule.properties[key] ?? rule.additional else { continue }
      let clauses = check(member, rule, at: .member(path, key))
      if !clauses.isEmpty { wrong.append((key, clauses)) }
    }
    return missing + wrong.sorted { $0.key < $1.key }.flatMap(\.clauses)
  }

  private func arrayViolations(_ elements: [JSONValue], _ rule: SchemaRule, path: Path) -> [String] {
    var found: [String] = []
    if let least = rule.minItems, elements.count < least {
      found.append("\(name(path)) has \(elements.count) elements")
    }
    if let most = rule.maxItems, elements.count > most {
      found.append("\(name(path)) has \(elements.count) elements")
    }
    guard let rule = rule.items else { return found }
    for (index, element) in elements.enumerated() where found.count < 20 {
      found += check(element, rule, at: .element(path, index))
    }
    return found
  }

  private func name(_ path: Path) -> String {
    let path = path.text
    return path.isEmpty ? "the document" : "`\(path.hasPrefix(".") ? String(path.dropFirst()) : path)`"
  }
}

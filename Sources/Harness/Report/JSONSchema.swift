import Foundation
import JSON

/// A validator for the part of JSON Schema 2020-12 that the report's schema uses: `type`, `const`, `enum`, `required`,
/// `properties`, `additionalProperties`, `items`, `minItems`, `maxItems`, `minimum`, `maximum`, `minLength`, `maxLength`, `pattern`,
/// `$ref` into `$defs`, `allOf`, and `if` / `then`.
struct JSONSchema: Sendable {
  let root: JSONValue

  /// The published schema of the report.
  static let report: JSONSchema = {
    // The document is compiled in and every test reads it: it parses.
    JSONSchema(root: (try? JSONParser.parse(PackageResources.report_schema_json)) ?? .bool(false))
  }()

  /// Everything in which the document departs from the schema, each as a clause; at most 20.
  func violations(of document: JSONValue) -> [String] {
    Array(check(document, against: root, at: "").prefix(20))
  }

  private func check(_ value: JSONValue, against schema: JSONValue, at path: String) -> [String] {
    if schema == .bool(false) { return ["\(name(path)) is not allowed"] }
    if let reference = schema["$ref"]?.string {
      return check(value, against: definition(reference), at: path)
    }
    var found = scalarViolations(value, schema, path)
    guard found.isEmpty else { return found }
    found += objectViolations(value, schema, path)
    found += arrayViolations(value, schema, path)
    for part in schema["allOf"]?.array ?? [] { found += check(value, against: part, at: path) }
    if let condition = schema["if"], check(value, against: condition, at: path).isEmpty,
      let then = schema["then"]
    {
      found += check(value, against: then, at: path)
    }
    return found
  }

  private func scalarViolations(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
    var found: [String] = []
    if let type = schema["type"], !matches(value, type) { found.append("\(name(path)) is \(value.type)") }
    if let constant = schema["const"], !constant.isSame(as: value) {
      found.append("\(name(path)) is not \(constant.text)")
    }
    if let allowed = schema["enum"]?.array, !allowed.contains(where: { $0.isSame(as: value) }) {
      found.append("\(name(path)) is not one of \(allowed.map(\.text).joined(separator: ", "))")
    }
    if let number = value.number {
      if let least = schema["minimum"]?.number, number < least {
        found.append("\(name(path)) is below \(least)")
      }
      if let most = schema["maximum"]?.number, number > most {
        found.append("\(name(path)) is above \(most)")
      }
    }
    if let text = value.string {
      if let least = schema["minLength"]?.number, text.count < Int(least) {
        found.append("\(name(path)) is empty")
      }
      if let most = schema["maxLength"]?.number, text.unicodeScalars.count > Int(most) {
        found.append("\(name(path)) is longer than \(Int(most)) characters")
      }
      if let pattern = schema["pattern"]?.string,
        text.range(of: pattern, options: .regularExpression) == nil
      {
        found.append("\(name(path)) does not look like \(pattern)")
      }
    }
    return found
  }

  private func objectViolations(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
    guard let members = value.object else { return [] }
    var found = (schema["required"]?.array ?? []).compactMap(\.string).filter { members[$0] == nil }
      .map { "\(name(path + "." + $0)) is missing" }
    for (key, member) in members.sorted(by: { $0.key < $1.key }) {
      let rule = schema["properties"]?[key] ?? schema["additionalProperties"]
      if let rule { found += check(member, against: rule, at: path + "." + key) }
    }
    return found
  }

  private func arrayViolations(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
    guard let elements = value.array else { return [] }
    var found: [String] = []
    if let least = schema["minItems"]?.number, elements.count < Int(least) {
      found.append("\(name(path)) has \(elements.count) elements")
    }
    if let most = schema["maxItems"]?.number, elements.count > Int(most) {
      found.append("\(name(path)) has \(elements.count) elements")
    }
    guard let rule = schema["items"] else { return found }
    for (index, element) in elements.enumerated() where found.count < 20 {
      found += check(element, against: rule, at: "\(path)[\(index)]")
    }
    return found
  }

  private func matches(_ value: JSONValue, _ type: JSONValue) -> Bool {
    let allowed = type.array?.compactMap(\.string) ?? [type.string ?? ""]
    let isWhole = value.number.map { $0 == $0.rounded() } ?? false
    return allowed.contains(value.type) || (isWhole && allowed.contains("integer"))
  }

  private func definition(_ reference: String) -> JSONValue {
    let name = reference.split(separator: "/").last.map(String.init) ?? ""
    return root["$defs"]?[name] ?? .bool(false)
  }

  private func name(_ path: String) -> String {
    path.isEmpty ? "the document" : "`\(path.hasPrefix(".") ? String(path.dropFirst()) : path)`"
  }
}

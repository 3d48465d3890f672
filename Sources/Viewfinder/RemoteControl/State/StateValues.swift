import Imagery
import JSON

/// How facts are written in the state document.
extension JSONValue {
  /// Null where it is not known. Six significant places are enough for a person and a page.
  static func number(known number: Double?) -> JSONValue {
    guard let number, number.isFinite else { return .null }
    return .number((number * 1e6).rounded() / 1e6)
  }

  static func text(_ text: String?) -> JSONValue { text.map { .string(bounded($0)) } ?? .null }
  static func whole(_ number: Int?) -> JSONValue { number.map { .integer(Int64($0)) } ?? .null }
  static func range(_ range: ClosedRange<Double>?) -> JSONValue {
    guard let range else { return .null }
    return .array([.number(known: range.lowerBound), .number(known: range.upperBound)])
  }

  /// Why something is not there.
  static func unsupported(_ reason: String) -> JSONValue {
    .object(["unsupported": .string(bounded(reason))])
  }

  /// Names come from devices and files.
  private static func bounded(_ text: String) -> String {
    text.utf8.count <= 2048 ? text : String(text.prefix(500)) + "…"
  }

  /// This object with other members in it too.
  func merging(_ others: [String: JSONValue]) -> JSONValue {
    guard case .object(let members) = self else { return .object(others) }
    return .object(members.merging(others) { $1 })
  }
}

/// Notes that people add to a report before they hand it over. They do not affect the verdict.
public struct Handover: Sendable, Hashable, Codable {
  /// The person who made the run.
  public var `operator`: String?
  /// The customer that the run was made for.
  public var customer: String?
  /// Any other remark for the reader.
  public var note: String?

  /// Maximum length of a name, in Unicode scalars.
  public static let nameLimit = 120
  /// Maximum length of a note, in Unicode scalars.
  public static let noteLimit = 1000

  /// - Throws: `Flaw` if a text is longer than its limit, empty, or contains control characters.
  public init(operator: String? = nil, customer: String? = nil, note: String? = nil) throws(Flaw) {
    self.operator = try Self.checked(`operator`, "operator", limit: Self.nameLimit)
    self.customer = try Self.checked(customer, "customer", limit: Self.nameLimit)
    self.note = try Self.checked(note, "note", limit: Self.noteLimit)
  }

  /// The flaw of a text, as a clause.
  public struct Flaw: Error, Equatable, CustomStringConvertible {
    /// The clause, such as `the customer has 200 characters; at most 120 fit`.
    public let description: String
  }

  /// Whether there are no notes.
  public var isEmpty: Bool { `operator` == nil && customer == nil && note == nil }

  /// Merges the notes of several runs: each distinct text once. Nil if there are none.
  init?(merging all: [Handover]) {
    func joined(_ field: KeyPath<Handover, String?>, _ limit: Int) -> String? {
      let values = all.compactMap { $0[keyPath: field] }
      let distinct = values.enumerated().filter { values.firstIndex(of: $1) == $0 }.map(\.element)
      let all = distinct.joined(separator: "; ").unicodeScalars.prefix(limit)
      return distinct.isEmpty ? nil : String(String.UnicodeScalarView(all))
    }
    self.operator = joined(\.operator, Self.nameLimit)
    customer = joined(\.customer, Self.nameLimit)
    note = joined(\.note, Self.noteLimit)
    if isEmpty { return nil }
  }

  private static func checked(_ text: String?, _ name: String, limit: Int) throws(Flaw) -> String? {
    guard let text else { return nil }
    let size = text.unicodeScalars.count
    guard size <= limit else {
      throw Flaw(description: "the \(name) has \(size) characters; at most \(limit) fit")
    }
    guard text.unicodeScalars.allSatisfy(isPlain) else {
      throw Flaw(description: "the \(name) has control characters in it")
    }
    guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      throw Flaw(description: "the \(name) is empty")
    }
    return text
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}

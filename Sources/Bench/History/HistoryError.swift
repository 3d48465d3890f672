/// A failure around a history. The description is one sentence for a person.
package struct HistoryError: Error, Equatable, CustomStringConvertible {
  /// The kind of failure, for programs to decide by.
  package enum Kind: Sendable, Equatable {
    /// Wrong input: the report is refused, or the history is invalid or does not exist.
    case badInput
    /// The history could not be written, or another program held it for too long.
    case storage
  }

  /// The kind of failure. Decide by this.
  package let kind: Kind
  /// The failed action with its object, as it follows "Could not" in the message.
  package let action: String
  /// The reason, as a clause.
  package let reason: String
  /// The remedy, as a clause.
  package let remedy: String

  init(_ kind: Kind, _ action: String, reason: String, remedy: String) {
    self.kind = kind
    self.action = action
    self.reason = reason
    self.remedy = remedy
  }

  package var description: String { "Could not \(action): \(reason); \(remedy)." }
}

extension HistoryError {
  static func refused(_ report: String, _ reason: String, remedy: String) -> HistoryError {
    HistoryError(.badInput, "add \(report) to the history", reason: reason, remedy: remedy)
  }

  /// Returns the error for a file that is not a history, or not a complete one.
  static func unusable(_ path: String, _ reason: String, remedy: String) -> HistoryError {
    HistoryError(.badInput, "open the history \(path)", reason: reason, remedy: remedy)
  }
}

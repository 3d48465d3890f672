/// What went wrong around a history. The description is one sentence for a person.
package struct HistoryError: Error, Equatable, CustomStringConvertible {
  /// The kind of failure, for a program to decide by.
  package enum Kind: Sendable, Equatable {
    /// The report cannot be taken in, the history is none, or there is none: what was handed in is wrong.
    case badInput
    /// The history could not be written, or another program had it for too long.
    case storage
  }

  /// Decide by this.
  package let kind: Kind
  /// What was being done, with what; it follows "Could not".
  package let action: String
  /// Why not, as a clause.
  package let reason: String
  /// What to do about it, as a clause.
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
  /// A report that no history takes.
  static func refused(_ report: String, _ reason: String, remedy: String) -> HistoryError {
    HistoryError(.badInput, "take in \(report)", reason: reason, remedy: remedy)
  }

  /// A file that is no history, or not a whole one.
  static func unusable(_ path: String, _ reason: String, remedy: String) -> HistoryError {
    HistoryError(.badInput, "open the history \(path)", reason: reason, remedy: remedy)
  }
}

/// Why a catalogue cannot be made or asked, with one sentence for a person.
public struct CatalogueError: Error, Equatable, CustomStringConvertible {
  /// The kind of failure, for a program to decide by. Closed.
  public enum Kind: Sendable, Equatable {
    /// The file is no catalogue, or what was to be imported cannot be used.
    case badInput
    /// The catalogue cannot be read or written.
    case storage
  }

  /// Decide by this.
  public let kind: Kind
  /// What was being done, with what; it follows "Cannot".
  public let action: String
  /// Why not, as a clause.
  public let reason: String
  /// What to do about it, as a clause.
  public let remedy: String

  init(_ kind: Kind, _ action: String, reason: String, remedy: String) {
    self.kind = kind
    self.action = action
    self.reason = reason
    self.remedy = remedy
  }

  public var description: String { "Cannot \(action): \(reason); \(remedy)." }
}

/// An error in creating or reading a catalogue, with one sentence for a person.
public struct CatalogueError: Error, Equatable, CustomStringConvertible {
  /// The kind of failure, for a program to handle. A closed enumeration.
  public enum Kind: Sendable, Equatable {
    /// The file is not a catalogue, or the input of an import cannot be used.
    case badInput
    /// The catalogue cannot be read or written.
    case storage
  }

  /// The kind of failure, by which programs should decide.
  public let kind: Kind
  /// The operation and its object. In the description it follows the word "Cannot".
  public let action: String
  /// The cause, as a clause.
  public let reason: String
  /// The remedy, as a clause.
  public let remedy: String

  init(_ kind: Kind, _ action: String, reason: String, remedy: String) {
    self.kind = kind
    self.action = action
    self.reason = reason
    self.remedy = remedy
  }

  public var description: String { "Cannot \(action): \(reason); \(remedy)." }
}

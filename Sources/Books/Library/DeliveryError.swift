/// Why a call of this library failed, with one sentence for a person.
public struct DeliveryError: Error, Equatable, CustomStringConvertible {
  /// The kind of failure, for a program to decide by.
  public enum Kind: Sendable, Equatable {
    /// Another process owns the store.
    case inUse
    /// The disk of the store is full.
    case diskFull
    /// The store or a file of it cannot be read or written.
    case storage
    /// The library's file is damaged: it cannot be read, or a value in it is not what it must be. It does not pass by itself.
    case damaged
    /// What was handed in cannot be used: a submission, a file of books, an address.
    case badInput
    /// Something that this library needs of the system cannot be had.
    case unavailable
    /// The task was cancelled.
    case cancelled
  }

  /// Decide by this.
  public let kind: Kind
  /// What was being done, with what; it follows "Cannot".
  public let action: String
  /// Why not, as a clause.
  public let reason: String
  /// What to do about it, as a clause.
  public let remedy: String

  /// An error of your own `Backend` or store of scans. Its clauses begin small and have no full stop.
  public init(_ kind: Kind, _ action: String, reason: String, remedy: String) {
    self.kind = kind
    self.action = action
    self.reason = reason
    self.remedy = remedy
  }

  public var description: String { "Cannot \(action): \(reason); \(remedy)." }
}

/// An error of this library, with one sentence for a person.
public struct DeliveryError: Error, Equatable, CustomStringConvertible {
  /// The kind of failure, for a program to handle.
  public enum Kind: Sendable, Equatable {
    /// Another process owns the store.
    case inUse
    /// The disk of the store is full.
    case diskFull
    /// The store or one of its files cannot be read or written.
    case storage
    /// The library's file is damaged: it cannot be read, or it holds an invalid value. A retry does not help.
    case damaged
    /// The input cannot be used, for example a submission, a file of books or an address.
    case badInput
    /// The system lacks something that the library needs.
    case unavailable
    /// The task was cancelled.
    case cancelled
  }

  /// The kind of failure, by which programs should decide.
  public let kind: Kind
  /// The operation and its object. In the description it follows the word "Cannot".
  public let action: String
  /// The cause, as a clause.
  public let reason: String
  /// The remedy, as a clause.
  public let remedy: String

  /// Creates an error, for your own `Backend` or store of scans. The clauses begin with a small letter and have no full stop.
  public init(_ kind: Kind, _ action: String, reason: String, remedy: String) {
    self.kind = kind
    self.action = action
    self.reason = reason
    self.remedy = remedy
  }

  public var description: String { "Cannot \(action): \(reason); \(remedy)." }
}

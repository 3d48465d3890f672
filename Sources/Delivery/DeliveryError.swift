/// What went wrong at this room's door, said to a person in one sentence.
public struct DeliveryError: Error, Equatable, CustomStringConvertible {
  /// What a program decides by.
  public enum Kind: Sendable, Equatable {
    /// Another process owns the store.
    case inUse
    /// No space left where the store is.
    case diskFull
    /// The store or a file of it cannot be read or written.
    case storage
    /// Something handed in is not usable: a parcel, a book file, an address.
    case badInput
    /// Something this program needs of the system does not start.
    case unavailable
    /// Cancelled by us.
    case cancelled
  }

  /// Decide by this.
  public let kind: Kind
  /// What we were doing, with what; follows "Cannot".
  public let action: String
  /// Why not, as a clause.
  public let reason: String
  /// What to do about it, as a clause.
  public let remedy: String

  /// An error of your own ``Backend`` or store of scans. Its clauses begin small and have no full stop.
  public init(_ kind: Kind, _ action: String, reason: String, remedy: String) {
    self.kind = kind
    self.action = action
    self.reason = reason
    self.remedy = remedy
  }

  public var description: String { "Cannot \(action): \(reason); \(remedy)." }
}

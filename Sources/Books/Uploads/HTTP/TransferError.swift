/// Why an exchange over HTTP did not come about. Says the host, never a path, a query or a header.
public struct TransferError: Error, Equatable, CustomStringConvertible {
  /// What went wrong.
  public enum Kind: Sendable, Equatable {
    /// Nothing answers: no network, no such host, connection refused or broken. Worth trying again.
    case unreachable
    /// No answer, or no sign of life, in the time allowed.
    case timedOut
    /// The server's key is not the pinned one.
    case wrongKey
    /// The server's certificate has expired, is for another host, or comes from an issuer that is not trusted.
    case untrusted
    /// Sent on to another host.
    case redirected
    /// The answer is larger than allowed.
    case tooLarge
    /// Cancelled by us.
    case cancelled
    /// What came is not HTTP, or the address cannot be used.
    case invalid
  }

  /// Decide by this.
  public let kind: Kind
  /// Whom it was exchanged with, as the address names it.
  public let host: String
  /// Why it failed, as a clause.
  public let reason: String

  public var description: String { "Cannot exchange data with \(host): \(reason); \(remedy)." }

  private var remedy: String {
    switch kind {
    case .unreachable: "check the network; the scan stays queued"
    case .timedOut: "try again when the server is less busy"
    case .wrongKey: "check the pinned key with whoever runs the server, somebody may be listening in"
    case .untrusted: "check the clock, the address and the CA settings"
    case .redirected: "use the server's own address"
    case .tooLarge, .invalid: "the server is at fault, tell whoever runs it"
    case .cancelled: "try again"
    }
  }
}

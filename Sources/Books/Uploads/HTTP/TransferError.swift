/// An error in an HTTP exchange. It names the host, never a path, a query or a header.
public struct TransferError: Error, Equatable, CustomStringConvertible {
  /// The kind of failure.
  public enum Kind: Sendable, Equatable {
    /// Nothing answers: no network, no such host, or the connection was refused or broken. A retry may help.
    case unreachable
    /// No answer, or silence, for longer than allowed.
    case timedOut
    /// The server's key is not the pinned one.
    case wrongKey
    /// The server's certificate has expired, is for another host, or comes from an issuer that is not trusted.
    case untrusted
    /// The server redirected to another host.
    case redirected
    /// The answer is larger than allowed.
    case tooLarge
    /// The exchange was cancelled on our side.
    case cancelled
    /// The answer is not HTTP, or the address cannot be used.
    case invalid
  }

  /// The kind of failure. Programs should decide by it.
  public let kind: Kind
  /// The host of the exchange, as in the address.
  public let host: String
  /// The cause, as a clause.
  public let reason: String
  /// The remedy, as a clause, if the cause is on this side. Nil if the remedy follows from the kind.
  var ownRemedy: String? = nil

  /// The remedy when libcurl has no memory.
  static let freeingMemory = "free some memory or end other programs, and try again"

  public var description: String {
    "Cannot exchange data with \(host): \(reason); \(ownRemedy ?? remedy)."
  }

  private var remedy: String {
    switch kind {
    case .unreachable: "check the network; the scan stays queued"
    case .timedOut: "try again when the server is less busy"
    case .wrongKey: "check the pinned key with the server's operator; somebody may be listening in"
    case .untrusted: "check the clock, the address and the CA settings (CURL_CA_BUNDLE, SSL_CERT_FILE)"
    case .redirected: "use the server's own address"
    case .tooLarge, .invalid: "this is a fault of the server: report it to the server's operator"
    case .cancelled: "try again"
    }
  }
}

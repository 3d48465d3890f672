import COpenSSL

/// The servers that a TLS client trusts: those that the system's authorities vouch for, or only the server with a known key.
///
/// `@unchecked Sendable`: an `SSL_CTX` is reference-counted and may be used by many threads once it is set up. `init` sets it up; nothing
/// changes it afterwards.
package final class ChannelTrust: @unchecked Sendable {
  let context: OpaquePointer
  private let pin: String?

  /// - Parameter pin: the pin of the server's key, `sha256//…`, as in `ServerCertificate.pin`. If it is given, only that key is trusted,
  ///   whichever authority signed it.
  /// - Returns: nil if OpenSSL has no memory for its context.
  package init?(pin: String?) {
    guard let context = SSL_CTX_new(TLS_client_method()) else { return nil }
    self.context = context
    self.pin = pin
    SSL_CTX_set_default_verify_paths(context)
    SSL_CTX_set_verify(context, pin == nil ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nil)
  }

  deinit { SSL_CTX_free(context) }

  /// Sets the host that the certificate must name. Call this before the handshake.
  func prepare(_ tls: OpaquePointer, host: String) -> Bool { SSL_set1_host(tls, host) == 1 }

  /// Whether the server has the pinned key, if there is a pin. Call this after the handshake.
  func accepts(_ tls: OpaquePointer) -> Bool {
    guard let pin else { return true }
    guard let certificate = SSL_get1_peer_certificate(tls) else { return false }
    defer { X509_free(certificate) }
    guard let key = X509_get0_pubkey(certificate) else { return false }
    return ServerCertificate.pin(key) == pin
  }
}

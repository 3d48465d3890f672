import COpenSSL

/// Which server a client believes, when it speaks TLS: one that the system's authorities vouch for, or one whose key is known.
///
/// `@unchecked Sendable`: an `SSL_CTX` is reference-counted and made for use by many threads once it is set up, which it is
/// in `init`; nothing changes it afterwards.
package final class ChannelTrust: @unchecked Sendable {
  let context: OpaquePointer
  private let pin: String?

  /// - Parameter pin: `sha256//…`, of the server's key, as `ServerCertificate.pin` has it: then that key is believed, whoever vouches for it.
  /// - Returns: nil where OpenSSL has no memory for it.
  package init?(pin: String?) {
    guard let context = SSL_CTX_new(TLS_client_method()) else { return nil }
    self.context = context
    self.pin = pin
    SSL_CTX_set_default_verify_paths(context)
    SSL_CTX_set_verify(context, pin == nil ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nil)
  }

  deinit { SSL_CTX_free(context) }

  /// Names the host that the certificate must be for, before the handshake.
  func prepare(_ tls: OpaquePointer, host: String) -> Bool { SSL_set1_host(tls, host) == 1 }

  /// Whether the server is the one that was meant, after the handshake.
  func accepts(_ tls: OpaquePointer) -> Bool {
    guard let pin else { return true }
    guard let certificate = SSL_get1_peer_certificate(tls) else { return false }
    defer { X509_free(certificate) }
    guard let key = X509_get0_pubkey(certificate) else { return false }
    return ServerCertificate.pin(key) == pin
  }
}

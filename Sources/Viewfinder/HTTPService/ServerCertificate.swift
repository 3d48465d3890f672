import COpenSSL
import Foundation
import Glibc
import System

/// A key and a self-signed certificate, newly created or from files, for TLS to this machine.
///
/// `@unchecked Sendable`: an `SSL_CTX` is reference-counted and may be used by many threads once it is set up. `init` sets it up; nothing changes
/// it afterwards.
public final class ServerCertificate: @unchecked Sendable {
  let context: OpaquePointer
  /// The certificate as PEM, which a client can trust as its CA.
  public let pem: String
  /// The pin of the key, `sha256//…`, in the format of libcurl.
  public let pin: String

  public struct Failure: Error {}

  /// - Parameters:
  ///   - host: the name or IPv4 address in the certificate.
  ///   - validFor: the validity in seconds from now. Negative for an expired certificate.
  public init(host: String = "127.0.0.1", validFor: Int = 86_400) throws {
    guard let key = Self.makeKey() else { throw Failure() }
    defer { EVP_PKEY_free(key) }
    guard let certificate = Self.makeCertificate(key, host: host, validFor: validFor) else { throw Failure() }
    defer { X509_free(certificate) }
    guard let context = SSL_CTX_new(TLS_server_method()), SSL_CTX_use_certificate(context, certificate) == 1,
      SSL_CTX_use_PrivateKey(context, key) == 1, let pem = Self.pem(certificate), let pin = Self.pin(key)
    else { throw Failure() }
    self.context = context
    self.pem = pem
    self.pin = pin
  }

  /// The maximum size of a PEM file in bytes.
  private static let fileLimit = 1 << 20

  /// Loads a certificate and its key from PEM files.
  /// - Throws: `RegularFile.Trouble` if a file cannot be read, for example a pipe; `Failure` if OpenSSL cannot use them, or if they do not belong
  ///   together.
  public init(certificateFile: String, keyFile: String) throws {
    let chain = try RegularFile.read(certificateFile, atMost: Self.fileLimit)
    let secret = try RegularFile.read(keyFile, atMost: Self.fileLimit)
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw Failure() }
    self.context = context
    guard Self.use(chain: chain, of: context), Self.use(key: secret, of: context),
      SSL_CTX_check_private_key(context) == 1, let certificate = SSL_CTX_get0_certificate(context),
      let key = X509_get0_pubkey(certificate), let pem = Self.pem(certificate), let pin = Self.pin(key)
    else {
      SSL_CTX_free(context)
      throw Failure()
    }
    self.pem = pem
    self.pin = pin
  }

  /// Uses a chain of certificates: the first is the server's own, the others lead to its authority.
  private static func use(chain: [UInt8], of context: OpaquePointer) -> Bool {
    guard let source = BIO_new_mem_buf(chain, CInt(chain.count)) else { return false }
    defer { BIO_free(source) }
    var count = 0
    while let certificate = PEM_read_bio_X509(source, nil, noPassword, nil) {
      // The context takes ownership of certificates that are added to the chain.
      let isTaken =
        count == 0
        ? SSL_CTX_use_certificate(context, certificate) == 1
        : SSL_CTX_ctrl(context, SSL_CTRL_EXTRA_CHAIN_CERT, 0, UnsafeMutableRawPointer(certificate)) == 1
      if count == 0 || !isTaken { X509_free(certificate) }
      guard isTaken else { return false }
      count += 1
    }
    return count > 0
  }

  private static func use(key: [UInt8], of context: OpaquePointer) -> Bool {
    guard let source = BIO_new_mem_buf(key, CInt(key.count)) else { return false }
    defer { BIO_free(source) }
    guard let key = PEM_read_bio_PrivateKey(source, nil, noPassword, nil) else { return false }
    defer { EVP_PKEY_free(key) }
    return SSL_CTX_use_PrivateKey(context, key) == 1
  }

  /// Refuses a key with a password. Without this callback OpenSSL would ask for the password at the terminal.
  private static let noPassword:
    @convention(c) (
      UnsafeMutablePointer<CChar>?, CInt, CInt, UnsafeMutableRawPointer?
    ) -> CInt = { _, _, _, _ in -1 }

  deinit { SSL_CTX_free(context) }

  /// Creates a key on P-256.
  private static func makeKey() -> OpaquePointer? {
    guard let maker = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { return nil }
    defer { EVP_PKEY_CTX_free(maker) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(maker) == 1,
      EVP_PKEY_CTX_set_ec_paramgen_curve_nid(maker, NID_X9_62_prime256v1) == 1,
      EVP_PKEY_keygen(maker, &key) == 1
    else { return nil }
    return key
  }

  private static func makeCertificate(_ key: OpaquePointer, host: String, validFor: Int) -> OpaquePointer? {
    guard let certificate = X509_new() else { return nil }
    let name = X509_get_subject_name(certificate)
    var address = in_addr()
    let isAddress = inet_pton(AF_INET, host, &address) == 1
    let alternative = X509V3_EXT_conf_nid(
      nil, nil, NID_subject_alt_name, "\(isAddress ? "IP" : "DNS"):\(host)")
    defer { X509_EXTENSION_free(alternative) }
    guard X509_set_version(certificate, 2) == 1,
      ASN1_INTEGER_set(X509_get_serialNumber(certificate), Int.random(in: 1...Int(Int32.max))) == 1,
      X509_gmtime_adj(X509_getm_notBefore(certificate), min(validFor, 0) - 86_400) != nil,
      X509_gmtime_adj(X509_getm_notAfter(certificate), validFor) != nil,
      X509_set_pubkey(certificate, key) == 1,
      // A common name has at most 64 characters (RFC 5280, ub-common-name). Clients read the alternative name.
      X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, String(host.prefix(64)), -1, -1, 0) == 1,
      X509_set_issuer_name(certificate, name) == 1, X509_add_ext(certificate, alternative, -1) == 1,
      X509_sign(certificate, key, EVP_sha256()) > 0
    else {
      X509_free(certificate)
      return nil
    }
    return certificate
  }

  private static func pem(_ certificate: OpaquePointer) -> String? {
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = i2d_X509(certificate, &bytes)
    guard count > 0, let bytes else { return nil }
    defer { CRYPTO_free(bytes, #file, #line) }
    let base64 = Data(bytes: bytes, count: Int(count)).base64EncodedString(options: .lineLength64Characters)
    return "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
  }

  /// The digest of the key's SubjectPublicKeyInfo (RFC 7469, section 2.4).
  static func pin(_ key: OpaquePointer) -> String? {
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = i2d_PUBKEY(key, &bytes)
    guard count > 0, let bytes else { return nil }
    defer { CRYPTO_free(bytes, #file, #line) }
    var digest = [UInt8](repeating: 0, count: 32)
    guard EVP_Digest(bytes, Int(count), &digest, nil, EVP_sha256(), nil) == 1 else { return nil }
    return "sha256//" + Data(digest).base64EncodedString()
  }
}

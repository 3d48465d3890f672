import COpenSSL
import Foundation

/// A key and a self-signed certificate, made on the spot, for TLS to this machine.
///
/// `@unchecked Sendable`: an `SSL_CTX` is reference-counted and made for use by many threads once it is set up, which it is
/// in `init`; nothing changes it afterwards.
public final class ServerCertificate: @unchecked Sendable {
  let context: OpaquePointer
  /// The certificate as PEM: what a client trusts as its CA.
  public let pem: String
  /// What pins the key: `sha256//…`, as libcurl wants it.
  public let pin: String

  public struct Failure: Error {}

  /// - Parameters:
  ///   - host: the name or IPv4 address in the certificate.
  ///   - validFor: seconds from now; negative for one that has expired.
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

  /// A certificate and its key from PEM files.
  /// - Throws: when OpenSSL cannot read one of them, or they do not belong together.
  public init(certificateFile: String, keyFile: String) throws {
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw Failure() }
    self.context = context
    guard SSL_CTX_use_certificate_chain_file(context, certificateFile) == 1,
      SSL_CTX_use_PrivateKey_file(context, keyFile, SSL_FILETYPE_PEM) == 1,
      SSL_CTX_check_private_key(context) == 1, let certificate = SSL_CTX_get0_certificate(context),
      let key = X509_get0_pubkey(certificate), let pem = Self.pem(certificate), let pin = Self.pin(key)
    else {
      SSL_CTX_free(context)
      throw Failure()
    }
    (self.pem, self.pin) = (pem, pin)
  }

  deinit { SSL_CTX_free(context) }

  /// On P-256.
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
    let isAddress = host.allSatisfy { $0.isNumber || $0 == "." }
    let alternative = X509V3_EXT_conf_nid(
      nil, nil, NID_subject_alt_name, "\(isAddress ? "IP" : "DNS"):\(host)")
    defer { X509_EXTENSION_free(alternative) }
    guard X509_set_version(certificate, 2) == 1,
      ASN1_INTEGER_set(X509_get_serialNumber(certificate), Int.random(in: 1...Int(Int32.max))) == 1,
      X509_gmtime_adj(X509_getm_notBefore(certificate), min(validFor, 0) - 86_400) != nil,
      X509_gmtime_adj(X509_getm_notAfter(certificate), validFor) != nil,
      X509_set_pubkey(certificate, key) == 1,
      X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, host, -1, -1, 0) == 1,
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

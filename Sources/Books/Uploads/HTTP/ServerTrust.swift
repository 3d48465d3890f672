import CCurl
import FoundationEssentials
import Library
import System

/// The certificates that a transport accepts, from its validated settings. Several CA files are read here, since libcurl takes only one.
struct ServerTrust: Sendable {
  private let pin: String?
  private let caFile: String?
  private let caFolder: String?
  /// The certificates of several files, used in place of `caFile`.
  private let certificates: [UInt8]

  /// The maximum size of a file of CA certificates in bytes; the system's has 200 kB.
  static let fileLimit = 16 << 20

  /// - Throws: `badInput` if the pin is malformed, or a file cannot be read.
  init(_ settings: TransportSettings) throws(DeliveryError) {
    if let pin = settings.pin, !Self.isPin(pin) {
      throw DeliveryError(
        .badInput, "use the pin of the backend", reason: "it does not have the form of a pin",
        remedy: "give SWIFTWING_TALARIA_PIN what the backend printed, sha256// and 44 characters of base64")
    }
    pin = settings.pin
    caFolder = settings.caFolder
    guard settings.caFiles.count > 1, pin == nil else {
      caFile = settings.caFiles.first
      certificates = []
      return
    }
    caFile = nil
    var certificates: [UInt8] = []
    for file in settings.caFiles { certificates += try Self.read(file) + [10] }
    self.certificates = certificates
  }

  /// Sets the options of a handle.
  /// - Returns: whether libcurl accepted all of them; otherwise the handle must not be used.
  func configure(_ easy: UnsafeMutableRawPointer) -> Bool {
    if let pin {
      return curl_set_string(easy, CURLOPT_PINNEDPUBLICKEY, pin) == CURLE_OK
        && curl_trust_any_issuer(easy) == CURLE_OK
    }
    if let caFile, curl_set_string(easy, CURLOPT_CAINFO, caFile) != CURLE_OK { return false }
    if let caFolder, curl_set_string(easy, CURLOPT_CAPATH, caFolder) != CURLE_OK { return false }
    return certificates.isEmpty
      || certificates.withUnsafeBytes {
        curl_set_bytes(easy, CURLOPT_CAINFO_BLOB, $0.baseAddress, $0.count) == CURLE_OK
      }
  }

  /// Whether the text is the SHA-256 of a key, or several separated by semicolons. libcurl would also take the name of a file with the key; that
  /// is refused, because a mistyped pin would be taken for a file name.
  static func isPin(_ text: String) -> Bool {
    let pins = text.split(separator: ";", omittingEmptySubsequences: false)
    return pins.count <= 100
      && pins.allSatisfy { pin in
        pin.hasPrefix("sha256//") && pin.utf8.count == 52
          && Data(base64Encoded: String(pin.dropFirst(8)))?.count == 32
      }
  }

  private static func read(_ file: String) throws(DeliveryError) -> [UInt8] {
    do throws(RegularFile.Trouble) { return try RegularFile.read(file, atMost: fileLimit) } catch {
      throw DeliveryError(
        .badInput, "read the CA certificates in \(file)", reason: error.reason,
        remedy: "check SSL_CERT_FILE and CURL_CA_BUNDLE")
    }
  }
}

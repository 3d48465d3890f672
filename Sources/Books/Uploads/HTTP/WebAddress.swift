import CCurl
import Glibc

/// An http or https address. It is parsed by libcurl, so that libcurl does not later read it differently. Without libcurl every address is invalid,
/// so call `loadLibcurl` first; its error tells the reason.
struct WebAddress: Sendable, Equatable {
  let text: String
  let scheme: String
  /// The host in lower case.
  let host: String
  let port: Int

  /// Parses an address. Nil if it is not an absolute http or https address, or if it has a user name.
  init?(_ text: String) { self.init(text, base: nil) }

  private init?(_ text: String, base: String?) {
    guard text.utf8.count <= 4096, let url = curl_url() else { return nil }
    defer { curl_url_cleanup(url) }
    if let base, curl_url_set(url, CURLUPART_URL, base, 0) != CURLUE_OK { return nil }
    guard curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK,
      let scheme = Self.part(url, CURLUPART_SCHEME), scheme == "http" || scheme == "https",
      let host = Self.part(url, CURLUPART_HOST), let whole = Self.part(url, CURLUPART_URL),
      let port = Self.part(url, CURLUPART_PORT, flags: UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) }),
      Self.part(url, CURLUPART_USER) == nil
    else { return nil }
    self.text = whole
    self.scheme = scheme
    self.host = host.lowercased()
    self.port = port
  }

  var isSecure: Bool { scheme == "https" }
  var isLoopback: Bool {
    host == "localhost" || host == "[::1]"
      || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
  }
  /// Scheme, host and port. Addresses with an equal origin are on the same server.
  var origin: String { "\(scheme)://\(host):\(port)" }

  /// Resolves `reference`, absolute or relative, against this address.
  func resolving(_ reference: String) -> WebAddress? { WebAddress(reference, base: text) }

  private static func part(_ url: OpaquePointer, _ part: CURLUPart, flags: UInt32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_part(url, part, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }
}

import FoundationEssentials

/// How connections are made. Proxies come from the environment as libcurl reads it (`https_proxy`, `no_proxy`, …).
public struct TransportSettings: Sendable, Equatable {
  /// The server's public keys that are accepted, as libcurl has them: `sha256//<base64>`, several apart by `;`. With a
  /// pin set, plain HTTP is refused.
  public var pin: String?
  /// A file of CA certificates (PEM) in place of the system's.
  public var caFile: String?
  /// A folder of CA certificates in place of the system's.
  public var caFolder: String?
  /// Most connections to one host at a time.
  public var maxConnections: Int
  /// Milliseconds to make a connection.
  public var connectTimeout: Int

  public init(
    pin: String? = nil, caFile: String? = nil, caFolder: String? = nil, maxConnections: Int = 6,
    connectTimeout: Int = 15_000
  ) {
    self.pin = pin
    self.caFile = caFile
    self.caFolder = caFolder
    self.maxConnections = maxConnections
    self.connectTimeout = connectTimeout
  }

  /// With the CA settings of the environment, as the `curl` tool and OpenSSL know them: `CURL_CA_BUNDLE`, then
  /// `SSL_CERT_FILE`, and `SSL_CERT_DIR`; and the pin in `SWIFTWING_TALARIA_PIN`.
  public static func environment(_ environment: [String: String]) -> TransportSettings {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    return TransportSettings(
      pin: value("SWIFTWING_TALARIA_PIN"), caFile: value("CURL_CA_BUNDLE") ?? value("SSL_CERT_FILE"),
      caFolder: value("SSL_CERT_DIR"))
  }

  /// The same without the pin: for hosts that are not the backend.
  public static func publicHosts(_ environment: [String: String]) -> TransportSettings {
    var settings = Self.environment(environment)
    settings.pin = nil
    return settings
  }
}

import FoundationEssentials

/// The settings of connections. Proxies come from the environment as libcurl reads it (`https_proxy`, `no_proxy`, …).
public struct TransportSettings: Sendable, Equatable {
  /// The accepted public keys of the server in libcurl's format: `sha256//<base64>`, several separated by `;`. With a pin the issuer of the
  /// certificate and the CA settings are ignored; its dates and its host are still checked, and plain HTTP is refused.
  public var pin: String?
  /// Files of trusted CA certificates (PEM) in place of the system's.
  public var caFiles: [String]
  /// A folder of trusted CA certificates in place of the system's.
  public var caFolder: String?
  /// The maximum number of concurrent connections to one host.
  public var maxConnections: Int
  /// The time limit for making a connection, in milliseconds.
  public var connectTimeout: Int

  /// Creates settings; by default the system's certificates, six connections per host, and 15 s to make one.
  public init(
    pin: String? = nil, caFiles: [String] = [], caFolder: String? = nil, maxConnections: Int = 6,
    connectTimeout: Int = 15_000
  ) {
    self.pin = pin
    self.caFiles = caFiles
    self.caFolder = caFolder
    self.maxConnections = maxConnections
    self.connectTimeout = connectTimeout
  }

  /// The settings from the environment: CA certificates as for the `curl` tool and OpenSSL, from `CURL_CA_BUNDLE`, `SSL_CERT_FILE` and
  /// `SSL_CERT_DIR` together, and the pin from `SWIFTWING_TALARIA_PIN`.
  public static func environment(_ environment: [String: String]) -> TransportSettings {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    var files: [String] = []
    for case let file? in ["SSL_CERT_FILE", "CURL_CA_BUNDLE"].map(value) where !files.contains(file) {
      files.append(file)
    }
    return TransportSettings(
      pin: value("SWIFTWING_TALARIA_PIN"), caFiles: files, caFolder: value("SSL_CERT_DIR"))
  }

  /// The settings from the environment without the pin, for hosts other than the backend.
  public static func publicHosts(_ environment: [String: String]) -> TransportSettings {
    var settings = Self.environment(environment)
    settings.pin = nil
    return settings
  }
}

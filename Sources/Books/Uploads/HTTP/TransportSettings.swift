import FoundationEssentials

/// How connections are made. Proxies come from the environment as libcurl reads it (`https_proxy`, `no_proxy`, …).
public struct TransportSettings: Sendable, Equatable {
  /// The server's public keys that are accepted, as libcurl has them: `sha256//<base64>`, several apart by `;`. The key then stands for
  /// whoever issued the certificate, and the CA settings do not count; its dates and its host still do. With a pin set, plain HTTP is
  /// refused.
  public var pin: String?
  /// Files of CA certificates (PEM) in place of the system's, each trusted.
  public var caFiles: [String]
  /// A folder of CA certificates in place of the system's.
  public var caFolder: String?
  /// Most connections to one host at a time.
  public var maxConnections: Int
  /// Milliseconds to make a connection.
  public var connectTimeout: Int

  /// The system's certificates, six connections to a host and 15 s to make one, unless you say otherwise.
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

  /// With the CA settings of the environment, as the `curl` tool and OpenSSL know them: who has a certificate from anybody in
  /// `CURL_CA_BUNDLE`, in `SSL_CERT_FILE` or in `SSL_CERT_DIR` is trusted; and the pin in `SWIFTWING_TALARIA_PIN`.
  public static func environment(_ environment: [String: String]) -> TransportSettings {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    var files: [String] = []
    for case let file? in ["SSL_CERT_FILE", "CURL_CA_BUNDLE"].map(value) where !files.contains(file) {
      files.append(file)
    }
    return TransportSettings(
      pin: value("SWIFTWING_TALARIA_PIN"), caFiles: files, caFolder: value("SSL_CERT_DIR"))
  }

  /// The same without the pin: for hosts that are not the backend.
  public static func publicHosts(_ environment: [String: String]) -> TransportSettings {
    var settings = Self.environment(environment)
    settings.pin = nil
    return settings
  }
}

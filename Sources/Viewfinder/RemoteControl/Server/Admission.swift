import HTTPService
import System

/// Decides which requests are admitted: by the requested host, the origin of the requesting page, and the client's secret.
package struct Admission: Sendable {
  let token: AccessToken
  let sessions: PageSessions
  let port: UInt16
  let isSecure: Bool
  /// The address that the server listens on.
  let address: String
  /// Further host names by which the server may be requested, in lower case.
  let names: [String]

  package enum Refusal: Equatable, Sendable {
    /// The requested host name is none of this server's: a foreign page may have made the name resolve to this machine (DNS rebinding).
    case host
    /// The request comes from another site's page.
    case origin
    case token

    var status: Int { self == .token ? 401 : 403 }

    var reason: String {
      switch self {
      case .host:
        "the host name of this address is not the viewfinder's: open the address that `swiftwing view --serve` printed"
      case .origin:
        "a page of another site may not use this viewfinder: open the address that `swiftwing view --serve` printed"
      case .token: "the token is missing or wrong: open the address that `swiftwing view --serve` printed"
      }
    }
  }

  /// The rights of a request.
  enum Grant {
    case refused(Refusal)
    /// The client has no secret: it may get this answer, which has no content of the camera.
    case stranger(Reply)
    case session(PageSession)
    /// The client has the token of the printed address: the page gets a session of its own.
    case opening
  }

  /// A subprotocol that a page offers together with its secret when it opens a WebSocket, because it can set no other header. The server chooses this
  /// one in its answer.
  static let subprotocol = "swiftwing"
  private static let secretPrefix = "swiftwing.session."

  package init(
    token: AccessToken, sessions: PageSessions, address: String = "127.0.0.1", port: UInt16,
    isSecure: Bool = false, names: [String] = []
  ) {
    self.token = token
    self.sessions = sessions
    self.address = address
    self.port = port
    self.isSecure = isSecure
    self.names = names.map(\.smallASCII)
  }

  func grant(_ request: IncomingRequest) -> Grant {
    let host = request.headers["host"] ?? ""
    guard isOurs(host) else { return .refused(.host) }
    if let origin = request.headers["origin"], !origin.isExactly("\(isSecure ? "https" : "http")://\(host)") {
      return .refused(.origin)
    }
    if let known = bearer(request) ?? subprotocol(request) {
      return known.map { .session($0) } ?? .refused(.token)
    }
    let isPage = request.path.isExactly("/")
    if isPage, request.method == "GET", let text = Self.parameter("token", request.query) {
      return token.matches(text) ? .opening : .refused(.token)
    }
    if let ticket = Self.parameter("ticket", request.query) {
      return sessions.session(ofTicket: ticket, for: request.path).map { .session($0) } ?? .refused(.token)
    }
    return Reply.forEverybody(request.path).map { .stranger($0) } ?? .refused(.token)
  }

  /// Whether the requested host is the served address, rather than a name that somebody made resolve to it.
  private func isOurs(_ host: String) -> Bool {
    let suffix = ":\(port)"
    guard host.ends(exactly: suffix) || port == (isSecure ? 443 : 80) else { return false }
    let end = host.ends(exactly: suffix) ? suffix.utf8.count : 0
    let name = String(decoding: host.utf8.dropLast(end), as: UTF8.self).smallASCII
    return name.isExactly(address) || names.holds(exactly: name)
      || (address.isExactly("127.0.0.1") && name.isExactly("localhost"))
  }

  /// The session of a bearer header. Nil if there is no such header; an inner nil if its secret is not valid.
  private func bearer(_ request: IncomingRequest) -> PageSession?? {
    guard let text = request.headers["authorization"] else { return nil }
    let (scheme, secret) = (text.utf8.prefix(7), String(decoding: text.utf8.dropFirst(7), as: UTF8.self))
    guard String(decoding: scheme, as: UTF8.self).smallASCII.isExactly("bearer ") else { return .some(nil) }
    return token.matches(secret) ? sessions.programs : sessions.session(of: secret)
  }

  private func subprotocol(_ request: IncomingRequest) -> PageSession?? {
    guard let text = request.headers["sec-websocket-protocol"] else { return nil }
    for offer in text.utf8.split(separator: UInt8(ascii: ",")) {
      let name = String(decoding: offer.drop { $0 == 32 }, as: UTF8.self)
      guard name.begins(exactly: Self.secretPrefix) else { continue }
      let secret = String(decoding: name.utf8.dropFirst(Self.secretPrefix.utf8.count), as: UTF8.self)
      return .some(sessions.session(of: secret))
    }
    return nil
  }

  static func parameter(_ name: String, _ query: String) -> String? {
    for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
      let text = String(decoding: pair, as: UTF8.self)
      guard text.begins(exactly: "\(name)=") else { continue }
      return String(decoding: pair.dropFirst(name.utf8.count + 1), as: UTF8.self)
    }
    return nil
  }
}

import HTTPService
import System

/// Who is let in: by the host that was asked, the page that asks, and what the client knows.
package struct Admission: Sendable {
  let token: AccessToken
  let sessions: PageSessions
  let port: UInt16
  let isSecure: Bool
  /// The address that is served.
  let address: String
  /// Names that it may be asked by too, in lower case.
  let names: [String]

  package enum Refusal: Equatable, Sendable {
    /// The name that was asked for is not ours: a page elsewhere had it made to lead here.
    case host
    /// Another site's page asks.
    case origin
    case token

    var status: Int { self == .token ? 401 : 403 }

    var reason: String {
      switch self {
      case .host: "this viewfinder does not answer to that name"
      case .origin: "a page of another site may not ask"
      case .token: "the token is missing or wrong: open the address that `swiftwing view --serve` printed"
      }
    }
  }

  /// What a request may have.
  enum Grant {
    case refused(Refusal)
    /// It knows nothing: it may see the page without anything in it.
    case stranger
    case session(PageSession)
    /// The address that was printed was opened: the page is to have a session of its own.
    case opening
  }

  /// What a page says beside its secret when it asks for a WebSocket, which can send no other header; the server says it back.
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
    return isPage ? .stranger : .refused(.token)
  }

  /// The address that is served, not a name that anybody may have made to lead to it.
  private func isOurs(_ host: String) -> Bool {
    let suffix = ":\(port)"
    guard host.ends(exactly: suffix) || port == (isSecure ? 443 : 80) else { return false }
    let end = host.ends(exactly: suffix) ? suffix.utf8.count : 0
    let name = String(decoding: host.utf8.dropLast(end), as: UTF8.self).smallASCII
    return name.isExactly(address) || names.holds(exactly: name)
      || (address.isExactly("127.0.0.1") && name.isExactly("localhost"))
  }

  /// Nil where the header is not there; a nil in it where what it says opens nothing.
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

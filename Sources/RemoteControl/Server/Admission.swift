package import HTTPService

/// Who is let in: by the host that was asked, the page that asks, and the token.
package struct Admission: Sendable {
  let token: AccessToken
  let port: UInt16
  let isSecure: Bool
  /// The address that is served.
  let address: String
  /// Names that it may be asked by too, in lower case.
  let names: Set<String>

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

  package init(
    token: AccessToken, address: String = "127.0.0.1", port: UInt16, isSecure: Bool = false,
    names: [String] = []
  ) {
    (self.token, self.address, self.port, self.isSecure) = (token, address, port, isSecure)
    self.names = Set(names.map { $0.lowercased() })
  }

  var cookieName: String { "swiftwing-view-\(port)" }

  /// - Parameter takesQuery: whether the token may be in the address.
  package func refusal(of request: Request, takesQuery: Bool = false) -> Refusal? {
    let host = request.headers["host"] ?? ""
    guard isOurs(host) else { return .host }
    if let origin = request.headers["origin"], origin != "\(isSecure ? "https" : "http")://\(host)" {
      return .origin
    }
    let offers = [
      bearer(request), cookie(request), takesQuery ? Self.parameter("token", request.query) : nil,
    ]
    return offers.contains { $0.map(token.matches) ?? false } ? nil : .token
  }

  /// The address that is served, not a name that anybody may have made to lead to it.
  private func isOurs(_ host: String) -> Bool {
    let suffix = ":\(port)"
    guard host.hasSuffix(suffix) || port == (isSecure ? 443 : 80) else { return false }
    let name = (host.hasSuffix(suffix) ? String(host.dropLast(suffix.utf8.count)) : host).lowercased()
    return name == address || names.contains(name) || (address == "127.0.0.1" && name == "localhost")
  }

  private func bearer(_ request: Request) -> String? {
    guard let text = request.headers["authorization"], text.lowercased().hasPrefix("bearer ") else {
      return nil
    }
    return String(text.dropFirst(7))
  }

  private func cookie(_ request: Request) -> String? {
    for piece in (request.headers["cookie"] ?? "").split(separator: ";") {
      let pair = piece.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      if pair.count == 2, pair[0] == cookieName { return String(pair[1]) }
    }
    return nil
  }

  static func parameter(_ name: String, _ query: String) -> String? {
    for pair in query.split(separator: "&") where pair.hasPrefix("\(name)=") {
      return String(pair.dropFirst(name.utf8.count + 1))
    }
    return nil
  }
}

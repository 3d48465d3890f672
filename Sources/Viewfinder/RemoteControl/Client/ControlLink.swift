import Glibc
import HTTPService
package import JSON
import System

/// The client side of the control channel: through the socket of this user's viewfinder, or through a WebSocket. Only one thread may receive; any
/// thread may send or end the link.
package final class ControlLink: Sendable {
  /// The reason why a link failed.
  package struct Trouble: Error, Equatable {
    /// The reason, as a clause.
    package let reason: String
    /// Whether the viewfinder answered and refused, because the request is wrong.
    package var isRefusal = false
  }

  private enum Way: Sendable {
    case lines(Channel, Locked<ChannelLines>)
    case frames(WebSocket)
  }

  /// The maximum size of a message from a viewfinder, in bytes.
  private static let messageLimit = 8 << 20
  private let way: Way

  private init(_ way: Way) { self.way = way }

  deinit { end() }

  /// Connects through the socket of a viewfinder of this user.
  package static func local(_ path: String) throws(Trouble) -> ControlLink {
    guard let socket = LocalConnection.connect(path) else {
      throw Trouble(reason: "nothing answers at \(path); check that `swiftwing view --serve` runs")
    }
    let channel = Channel(socket: socket)
    return ControlLink(.lines(channel, Locked(ChannelLines(channel: channel, limit: messageLimit))))
  }

  /// Connects through a WebSocket.
  /// - Parameters:
  ///   - pin: the pin of the server's key. Nil if the system's authorities vouch for the server.
  package static func remote(
    _ address: ChannelAddress, token: AccessToken, pin: String?
  ) throws(Trouble) -> ControlLink {
    guard let socket = TCPConnection.connect(address.host, address.port) else {
      throw Trouble(
        reason:
          "nothing answers at \(address.host):\(address.port); check that `swiftwing view --serve` runs there"
      )
    }
    let channel = Channel(socket: socket)
    if address.isSecure {
      guard let trust = ChannelTrust(pin: pin), channel.secure(asClientOf: address.host, trust) else {
        throw Trouble(
          reason:
            "the certificate of \(address.host) is not trusted; give the key that `view --serve` printed, with --pin"
        )
      }
    }
    do throws(WebSocketHandshake.Refusal) {
      let rest = try WebSocketHandshake.ask(
        channel, host: "\(address.host):\(address.port)", path: "/channel",
        headers: ["Authorization": "Bearer \(token.text)"])
      return ControlLink(
        .frames(WebSocket(channel: channel, rest: rest, isServer: false, limit: messageLimit)))
    } catch {
      throw Trouble(refusedWith: error.status, address.host)
    }
  }

  /// Sends a message.
  /// - Returns: whether the whole message was sent.
  @discardableResult package func send(_ message: JSONValue) -> Bool {
    let line = JSONSerializer.line(message)
    switch way {
    case .lines(let channel, _): return channel.write(line + [10], within: 5)
    case .frames(let socket): return socket.send(.text(line))
    }
  }

  /// The next message, however long the viewfinder has nothing to say. Nil if the link is lost. Blocks.
  ///
  /// The kernel reports the end of a socket's other side at once. Through a WebSocket, the viewfinder is asked whether it is still there.
  package func receive() -> JSONValue? {
    switch way {
    case .lines: receive(within: .infinity)
    case .frames: receive(within: 30)
    }
  }

  /// The next message. Nil if the link is lost or nothing arrived in time. Blocks.
  package func receive(within seconds: Double) -> JSONValue? {
    let bytes: [UInt8]? =
      switch way {
      case .lines(_, let reader): reader.withLock { $0.next(within: seconds) }
      case .frames(let socket): socket.receive(within: seconds)
      }
    return bytes.flatMap { try? JSONParser.parse($0) }
  }

  /// Ends the link. May be called from any thread.
  package func end() {
    switch way {
    case .lines(let channel, _): channel.shut()
    case .frames(let socket): socket.channel.shut()
    }
  }
}

extension ControlLink.Trouble {
  init(refusedWith status: Int, _ host: String) {
    switch status {
    case 0: self.init(reason: "the server at \(host) is not a viewfinder; check the address")
    case 401:
      self.init(
        reason: "the viewfinder at \(host) does not accept this token; give the one that it printed",
        isRefusal: true)
    case 503: self.init(reason: "the viewfinder at \(host) has too many clients; try again soon")
    default:
      self.init(
        reason: "the viewfinder at \(host) refuses with status \(status); check the address", isRefusal: true)
    }
  }
}

/// The address of a viewfinder's control channel: `wss://HOST:PORT`, or `ws://` on this machine.
package struct ChannelAddress: Hashable, Sendable {
  package let host: String
  package let port: UInt16
  package let isSecure: Bool

  /// Parses an address. Also accepts `https` and `http`, and ignores what follows the port, so that the address printed by `view --serve`
  /// may be pasted.
  /// - Returns: nil if the text is no address of a viewfinder, or if the address has no TLS and is on another machine, since the token
  /// would be sent in the open.
  package init?(_ text: String) {
    let small = text.smallASCII
    guard let scheme = ["wss://", "https://", "ws://", "http://"].first(where: { small.begins(exactly: $0) })
    else { return nil }
    isSecure = scheme == "wss://" || scheme == "https://"
    let place = text.utf8.dropFirst(scheme.utf8.count).prefix {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
    }
    let halves = place.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard (1...2).contains(halves.count), let name = halves.first, !name.isEmpty, name.utf8.count <= 253,
      name.utf8.allSatisfy({
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 46
      }), let port = halves.count == 2 ? UInt16(halves[1]) : isSecure ? 443 : 80
    else { return nil }
    host = name
    self.port = port
    guard isSecure || host == "127.0.0.1" || host == "localhost" else { return nil }
  }

  /// Whether the query of an address contains a token.
  package static func hasToken(_ text: String) -> Bool {
    let query = text.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()
    return Admission.parameter("token", String(decoding: query, as: UTF8.self)) != nil
  }
}

/// Connects to another program by TCP over IPv4.
enum TCPConnection {
  /// - Returns: a connected socket. Nil if nobody answers.
  static func connect(_ host: String, _ port: UInt16) -> CInt? {
    var hints = addrinfo()
    hints.ai_family = AF_INET
    hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &found) == 0 else { return nil }
    defer { freeaddrinfo(found) }
    var next = found
    while let entry = next?.pointee {
      let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
      guard descriptor >= 0 else { return nil }
      if Glibc.connect(descriptor, entry.ai_addr, entry.ai_addrlen) == 0 { return descriptor }
      close(descriptor)
      next = entry.ai_next
    }
    return nil
  }
}

import Capture
import Foundation
import Glibc
import HTTPService
import JSON
import System
import Testing

@testable import RemoteControl

/// A server with a simulated camera on a free port.
final class ServerRig: Sendable {
  let rig: HubRig
  let server: ViewfinderServer
  let token = AccessToken()

  init(
    source: String = "simulated:160x96@30", certificate: ServerCertificate? = nil,
    limits: ServerLimits = ViewfinderServer.limits, deadline: Double = 5, dock: (any DockControl)? = nil,
    begins: Bool = true
  ) async throws {
    // The program ignores SIGPIPE too, because OpenSSL writes without `MSG_NOSIGNAL`, even to a client that has gone.
    signal(SIGPIPE, SIG_IGN)
    rig = try HubRig(source: source, dock: dock)
    if begins { await rig.hub.begin() }
    server = try ViewfinderServer(
      rig.hub, port: 0, certificate: certificate, token: token, limits: limits, deadline: deadline)
  }

  var host: String { "127.0.0.1:\(server.port)" }

  func end() async {
    await rig.hub.end()
    server.stop()
  }

  func connect() throws -> Channel {
    Channel(socket: try #require(TCPConnection.connect("127.0.0.1", server.port)))
  }

  /// Returns the complete answer to a request, which must be the connection's last.
  func answer(_ lines: [String], body: [UInt8] = []) async throws -> String {
    let channel = try connect()
    return try await aside {
      _ = channel.write(Array((lines + ["", ""]).joined(separator: "\r\n").utf8) + body, within: 20)
      return Self.rest(of: channel)
    }
  }

  private static func rest(of channel: Channel) -> String {
    var (bytes, patience) = ([UInt8](), Patience(seconds: 60))
    while let more = try? channel.read(1 << 16, &patience) { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the status of a GET request with these headers; 0 without an answer.
  func status(_ path: String, _ headers: [String] = []) async throws -> Int {
    let answer = try await answer(["GET \(path) HTTP/1.1", "Host: \(host)", "Connection: close"] + headers)
    return Int(answer.split(separator: " ").dropFirst().first ?? "") ?? 0
  }

  /// Connects `count` clients at once, each with one request, and returns how many are refused. The last to connect asks first, so
  /// all are connected before the first answer.
  func crowd(_ count: Int) async throws -> Int {
    let channels = try (0..<count).map { _ in try connect() }
    let (host, bearer) = (host, bearer)
    return try await aside {
      channels.reversed().count { channel in
        _ = channel.write(
          Array("GET /session HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\(bearer)\r\n\r\n".utf8),
          within: 5)
        let answer = Self.rest(of: channel)
        return answer.isEmpty || answer.hasPrefix("HTTP/1.1 503")
      }
    }
  }

  var bearer: String { "Authorization: Bearer \(token.text)" }

  func socket(_ path: String, headers: [String: String] = [:]) async throws -> WebSocket {
    let channel = try connect()
    let (host, token) = (host, token.text)
    return try await aside {
      let headers = headers.merging(["Authorization": "Bearer \(token)"]) { given, _ in given }
      let rest = try WebSocketHandshake.ask(channel, host: host, path: path, headers: headers)
      return WebSocket(channel: channel, rest: rest, isServer: false, limit: 8 << 20)
    }
  }

  /// Returns a client that has requested the image stream, but has not read anything.
  func imageStream() throws -> Channel {
    let channel = try connect()
    _ = channel.write(
      Array("GET /pictures.mjpeg HTTP/1.1\r\nHost: \(host)\r\n\(bearer)\r\n\r\n".utf8), within: 5)
    return channel
  }
}

/// Runs blocking work on a thread of its own, because the task pool has only as many threads as the machine has processors.
func aside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  let result = Locked<Result<Value, any Error>?>(nil)
  await NamedThread.aside(name: "client") {
    let outcome = Result { try body() }
    result.withLock { $0 = outcome }
  }
  return try #require(result.withLock { $0 }).get()
}

extension WebSocket {
  /// Returns the next message; nil at the end of the connection.
  func message() async throws -> [UInt8]? { try await aside { self.receive(within: 60) } }
}

extension ControlLink {
  /// Returns the next message; nil at the end of the connection.
  func message() async throws -> JSONValue? { try await aside { self.receive(within: 60) } }
}

/// A viewer that receives every picture.
final class Looker: Sendable {
  private struct Seen {
    var pictures = 0
    var last = 0
    var isOver = false
  }

  private let socket: WebSocket
  private let seen = Locked(Seen())

  init(_ rig: ServerRig) async throws {
    socket = try await rig.socket("/pictures")
    NamedThread.detached(name: "looker") { [socket, seen] in
      while let number = Self.picture(socket), number > seen.withLock({ $0.last }) {
        seen.withLock { ($0.pictures, $0.last) = ($0.pictures + 1, number) }
        seen.notify()
      }
      seen.withLock { $0.isOver = true }
      seen.notify()
    }
  }

  deinit { socket.channel.shut() }

  /// Returns the number of the next picture; nil at the end of the connection.
  private static func picture(_ socket: WebSocket) -> Int? {
    guard let bytes = socket.receive(within: 60), bytes.count > 4 else { return nil }
    let length = (0..<4).reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
    guard bytes.count > 4 + length, let head = try? JSONParser.parse(Array(bytes[4..<4 + length])),
      case .integer(let number)? = head["number"]
    else { return nil }
    socket.send(.text(Array("{\"got\":\(number)}".utf8)))
    return Int(number)
  }

  /// Waits for `count` more pictures, each newer than the one before. Returns false if the stream ends first.
  func sees(_ count: Int) async throws -> Bool {
    let goal = seen.withLock { $0.pictures } + count
    return try await looks { $0.pictures >= goal }
  }

  /// Receives pictures until `isDone` returns true, which is called after each picture. Returns false if the stream ends first, or
  /// after 5000 pictures.
  func looks(until isDone: @escaping @Sendable () -> Bool) async throws -> Bool {
    let limit = seen.withLock { $0.pictures } + 5000
    return try await looks { $0.pictures > limit || isDone() } && isDone()
  }

  private func looks(until isDone: @escaping @Sendable (Seen) -> Bool) async throws -> Bool {
    try await aside { [seen] in seen.wait { isDone($0) ? true : $0.isOver ? false : nil } }
  }
}

/// The tests run serially, because each draws its camera's pictures in real time.
@Suite(.serialized) struct ServerTests {
  /// The page gets a secret of its own, which no other port of the host can read. The page does not contain the token.
  @Test func pageIsGivenASessionAndStrictHeaders() async throws {
    let rig = try await ServerRig()
    let page = try await rig.answer([
      "GET /?token=\(rig.token.text) HTTP/1.1", "Host: \(rig.host)", "Connection: close",
    ])
    #expect(page.begins(exactly: "HTTP/1.1 200"))
    #expect(!page.contains("Set-Cookie") && !page.contains(rig.token.text))
    let tag = "<script id=\"first\" type=\"text/plain\">"
    let secret = String(page.components(separatedBy: tag).last?.prefix { $0 != " " } ?? "")
    #expect(secret.utf8.count == 32)
    for line in [
      "Content-Security-Policy: default-src 'none'", "Cross-Origin-Opener-Policy: same-origin",
      "Cross-Origin-Embedder-Policy: require-corp", "Cache-Control: no-store", "X-Frame-Options: DENY",
      "Referrer-Policy: no-referrer",
    ] {
      #expect(page.contains(line), "\(line)")
    }
    let bearer = "Authorization: Bearer \(secret)"
    for (path, status) in [
      ("/", 200), ("/session", 200), ("/schema.json", 200), ("/nothing", 404), ("/channel", 426),
    ] {
      #expect(try await rig.status(path, [bearer]) == status, "\(path)")
    }
    let posted = try await rig.answer(["POST / HTTP/1.1", "Host: \(rig.host)", "Connection: close", bearer])
    #expect(posted.begins(exactly: "HTTP/1.1 405"))
    #expect(rig.rig.hub.sessions.endAll() == 1)
    #expect(try await rig.status("/session", [bearer]) == 401)
    await rig.end()
  }

  /// A client that cannot send headers gets an address with a ticket, which opens a single file.
  @Test func ticketOpensItsPathAlone() async throws {
    let rig = try await ServerRig()
    rig.rig.folder.write("0123", to: "film.mp4")
    rig.rig.folder.write("4567", to: "other.mp4")
    let answer = try await rig.answer([
      "GET /ticket/recordings/film.mp4 HTTP/1.1", "Host: \(rig.host)", "Connection: close", rig.bearer,
    ])
    let ticket = answer.components(separatedBy: "\r\n\r\n").last?.prefix(32) ?? ""
    #expect(try await rig.status("/recordings/film.mp4?ticket=\(ticket)") == 200)
    #expect(try await rig.status("/recordings/film.mp4?ticket=\(ticket)") == 200)
    for path in [
      "/recordings/other.mp4", "/photos/film.mp4", "/channel", "/pictures.mjpeg", "/session",
      "/ticket/recordings/film.mp4",
    ] {
      #expect(try await rig.status("\(path)?ticket=\(ticket)") == 401, "\(path)")
    }
    #expect(try await rig.status("/ticket/session", [rig.bearer]) == 404)
    await rig.end()
  }

  /// Without the token, a client can read nothing and change nothing, and the camera stays closed. Only the page itself, its manifest and
  /// its icon are public, and they hold no data.
  @Test(arguments: [
    "/", "/channel", "/pictures", "/pictures.mjpeg", "/schema.json", "/photos", "/photos/a.jpg",
    "/photos/a.jpg/report", "/nothing", "/manifest.json", "/icon.png", "/icon.png/", "//icon.png",
  ])
  func strangerIsRefused(path: String) async throws {
    let rig = try await ServerRig()
    let isPublic = ["/", "/manifest.json", "/icon.png"].contains(path)
    #expect(try await rig.status(path) == (isPublic ? 200 : 401))
    #expect(try await rig.status(path, ["Authorization: Bearer \(AccessToken().text)"]) == 401)
    #expect(try await rig.status(path, [rig.bearer, "Origin: https://evil.example"]) == 403)
    let foreign = try await rig.answer([
      "GET \(path) HTTP/1.1", "Host: evil.example:\(rig.server.port)", rig.bearer,
    ])
    #expect(foreign.hasPrefix("HTTP/1.1 403"))
    #expect(await rig.rig.hub.session.state == .idle)
    await rig.end()
  }

  @Test func pageOfAnotherSiteGetsNoChannel() async throws {
    let rig = try await ServerRig()
    await #expect(throws: WebSocketHandshake.Refusal.self) {
      try await rig.socket("/channel", headers: ["Origin": "http://evil.example"])
    }
    _ = try await rig.socket("/channel", headers: ["Origin": "http://\(rig.host)"])
    await rig.end()
  }

  /// PWR-1: two viewers share one stream.
  @Test func twoViewersShareOneStream() async throws {
    let rig = try await ServerRig()
    let (first, second) = (try await Looker(rig), try await Looker(rig))
    #expect(try await first.sees(5))
    #expect(try await second.sees(2))
    #expect(rig.rig.hub.pictures.viewers == 2)
    await rig.end()
  }

  @Test func megabyteOfJSONEndsItsConnectionAlone() async throws {
    let rig = try await ServerRig()
    let looker = try await Looker(rig)
    #expect(try await looker.sees(2))
    let socket = try await rig.socket("/channel")
    #expect(try await socket.message() != nil)
    socket.send(.text([UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)))
    while try await socket.message() != nil {}
    let posted = try await rig.answer(
      ["POST /channel HTTP/1.1", "Host: \(rig.host)", rig.bearer, "Content-Length: 1048576"],
      body: [UInt8](repeating: 32, count: 1 << 20))
    #expect(posted.hasPrefix("HTTP/1.1 413"))
    #expect(try await looker.sees(10))
    await rig.end()
  }

  /// Clients beyond the number of slots get status 503 or are disconnected. Admitted clients are not affected.
  @Test func thousandConnectionsLeaveThePictureAlone() async throws {
    var limits = ViewfinderServer.limits
    limits.headSeconds = 60
    let rig = try await ServerRig(limits: limits)
    let looker = try await Looker(rig)
    #expect(try await looker.sees(2))
    for _ in 0..<10 {
      #expect(try await rig.crowd(100) >= 100 - limits.connections)
      #expect(try await looker.sees(2))
    }
    await rig.end()
  }

  @Test func viewerThatNeverReadsIsDropped() async throws {
    let rig = try await ServerRig(source: "simulated:1280x720@20", deadline: 0.1)
    let looker = try await Looker(rig)
    #expect(try await looker.sees(2))
    let idle = try rig.imageStream()
    let pictures = rig.rig.hub.pictures
    #expect(try await looker.looks { pictures.viewers == 2 })
    #expect(try await looker.looks { pictures.viewers == 1 })
    #expect(try await looker.sees(5))
    withExtendedLifetime(idle) {}
    await rig.end()
  }

  @Test func streamForImagesHasTheNextHeadWithEachPicture() async throws {
    let rig = try await ServerRig()
    let channel = try rig.imageStream()
    let end = [0xFF, 0xD9] + Array("\r\n--picture\r\nContent-Type: image/jpeg\r\n\r\n".utf8)
    let bytes = try await aside {
      var (bytes, patience) = ([UInt8](), Patience(seconds: 60))
      while bytes.firstIndex(of: end) == nil, let more = try? channel.read(1 << 16, &patience) {
        bytes += more
      }
      return bytes
    }
    let opening = "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=picture"
    #expect(bytes.starts(with: Array(opening.utf8)))
    #expect(bytes.firstIndex(of: end) != nil)
    await rig.end()
  }

  /// A remote on another machine connects by TLS, and only to a server with the pinned key.
  @Test func remoteReachesTheChannelByTLS() async throws {
    let certificate = try ServerCertificate()
    let rig = try await ServerRig(certificate: certificate)
    let address = try #require(ChannelAddress("wss://\(rig.host)"))
    let token = rig.token
    let link = try await aside { try ControlLink.remote(address, token: token, pin: certificate.pin) }
    #expect(try await link.message()?["type"] == .string("state"))
    link.end()
    let stranger = try ServerCertificate()
    for pin in [stranger.pin, nil] {
      await #expect(throws: ControlLink.Trouble.self) {
        try await aside { try ControlLink.remote(address, token: token, pin: pin) }
      }
    }
    let unknown = "the viewfinder at 127.0.0.1 does not accept this token; give the one that it printed"
    await #expect(throws: ControlLink.Trouble(reason: unknown, isRefusal: true)) {
      try await aside { try ControlLink.remote(address, token: AccessToken(), pin: certificate.pin) }
    }
    await rig.end()
  }

  /// The local socket of this user carries the same messages, one per line. A line that is too long ends its connection.
  @Test func localSocketCarriesTheChannel() async throws {
    let rig = try await ServerRig()
    let folder = rig.rig.folder.path + "/run"
    let local = try LocalSocket(rig.server, folder: folder)
    var status = stat()
    #expect(lstat(local.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let link = try ControlLink.local(local.path)
    #expect(try await link.message()?["type"] == .string("state"))
    link.send(
      .object([
        "type": .string("command"), "id": .string("1"), "command": .string("setOverlay"),
        "arguments": .object(["visible": .bool(true)]),
      ]))
    var message = try await link.message()
    while let present = message, present["id"] != .string("1") { message = try await link.message() }
    #expect(message?["status"] == .string("accepted"))
    link.send(.string(String(repeating: "x", count: 1 << 20)))
    while try await link.message() != nil {}
    #expect(LocalConnection.sockets(in: folder) == [local.path])
    local.stop()
    #expect(throws: ControlLink.Trouble.self) { try ControlLink.local(local.path) }
    await rig.end()
  }
}

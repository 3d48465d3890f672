import HTTPService
import Testing

@testable import RemoteControl

@Suite struct AdmissionTests {
  private let token = AccessToken("0123456789abcdef-_")!

  private func request(_ lines: [String], path: String = "/channel") throws -> IncomingRequest {
    try IncomingRequest(head: Array((["GET \(path) HTTP/1.1"] + lines).joined(separator: "\r\n").utf8))
  }

  /// Returns the reason for refusing a request; nil if it is admitted. A request without a valid secret counts as refused for its
  /// token.
  private func refusal(
    _ lines: [String], path: String = "/channel", _ admission: Admission? = nil
  ) throws -> Admission.Refusal? {
    let admission = admission ?? Admission(token: token, sessions: PageSessions(), port: 8480)
    return switch admission.grant(try request(lines, path: path)) {
    case .refused(let refusal): refusal
    case .stranger: .token
    case .session, .opening: nil
    }
  }

  private static let bearer = "Authorization: Bearer 0123456789abcdef-_"

  /// Programs send the token in a header. In an address, the token only opens the page. A cookie opens nothing, because browsers
  /// send cookies to every port of the host.
  @Test func tokenOpensByHeaderAndOnceByAddress() throws {
    let host = "Host: 127.0.0.1:8480"
    #expect(try refusal([host, Self.bearer]) == nil)
    #expect(try refusal([host], path: "/?token=0123456789abcdef-_") == nil)
    #expect(try refusal([host], path: "/channel?token=0123456789abcdef-_") == .token)
    #expect(try refusal([host, "Cookie: swiftwing-view-8480=0123456789abcdef-_"], path: "/") == .token)
  }

  /// A page's secret is accepted in the header and as an offered protocol, until the page is logged out.
  @Test func secretOfAPageOpensUntilItEnds() throws {
    let sessions = PageSessions()
    let admission = Admission(token: token, sessions: sessions, port: 8480)
    let (one, other) = (sessions.begin(), sessions.begin())
    let host = "Host: 127.0.0.1:8480"
    let ways = { (session: PageSession) in
      [
        "Authorization: bearer \(session.secret.text)",
        "Sec-WebSocket-Protocol: swiftwing, swiftwing.session.\(session.secret.text)",
      ]
    }
    for way in ways(one) + ways(other) { #expect(try refusal([host, way], admission) == nil) }
    sessions.end(one)
    for way in ways(one) { #expect(try refusal([host, way], admission) == .token) }
    for way in ways(other) { #expect(try refusal([host, way], admission) == nil) }
    #expect(sessions.endAll() == 1)
    for way in ways(other) { #expect(try refusal([host, way], admission) == .token) }
  }

  @Test(
    arguments: [
      [], ["Authorization: Bearer 0123456789abcdef-"], ["Authorization: Bearer 0123456789abcdef-_x"],
      ["Authorization: Basic 0123456789abcdef-_"], ["Cookie: swiftwing-view-8480=0123456789abcdef-_"],
      ["Sec-WebSocket-Protocol: swiftwing, swiftwing.session.0123456789abcdef-_"],
    ])
  func wrongTokenIsRefused(lines: [String]) throws {
    #expect(try refusal(["Host: localhost:8480"] + lines) == .token)
  }

  /// A host name that an attacker may have pointed at this machine.
  @Test(arguments: [
    "evil.example:8480", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:84800", "192.168.0.2:8480", "",
  ])
  func foreignHostIsRefused(host: String) throws {
    #expect(try refusal(["Host: \(host)", Self.bearer]) == .host)
  }

  @Test(
    arguments: [
      ("http://127.0.0.1:8480", nil), ("https://127.0.0.1:8480", .origin), ("http://localhost:8480", .origin),
      ("http://127.0.0.1:8481", .origin), ("https://evil.example", .origin), ("null", .origin),
    ] as [(String, Admission.Refusal?)])
  func foreignOriginIsRefused(origin: String, expected: Admission.Refusal?) throws {
    #expect(try refusal(["Host: 127.0.0.1:8480", "Origin: \(origin)", Self.bearer]) == expected)
  }

  @Test func openServerIsAskedByItsAddressAndNamesAlone() throws {
    let open = Admission(
      token: token, sessions: PageSessions(), address: "10.0.0.5", port: 443, isSecure: true,
      names: ["Shelf.local"])
    for host in ["10.0.0.5:443", "10.0.0.5", "shelf.local", "SHELF.LOCAL:443"] {
      #expect(try refusal(["Host: \(host)", Self.bearer], open) == nil)
    }
    for host in ["127.0.0.1:443", "10.0.0.6", "evil.example"] {
      #expect(try refusal(["Host: \(host)", Self.bearer], open) == .host)
    }
  }

  @Test func tokenIsRandomAndChecked() {
    #expect(AccessToken().text != AccessToken().text)
    #expect(AccessToken().text.utf8.count == 32)
    for text in ["short", "0123456789abcde\n0", "0123456789abcdef;", String(repeating: "a", count: 257)] {
      #expect(AccessToken(text) == nil)
    }
  }

  @Test(
    arguments: [
      ("https://10.0.0.5:8480/?token=abc", "10.0.0.5", 8480, true),
      ("wss://shelf.local", "shelf.local", 443, true),
      ("ws://127.0.0.1:9/channel", "127.0.0.1", 9, false),
      ("http://localhost:8480", "localhost", 8480, false),
    ] as [(String, String, UInt16, Bool)])
  func addressOfAChannelIsRead(text: String, host: String, port: UInt16, isSecure: Bool) throws {
    let address = try #require(ChannelAddress(text))
    #expect(address.host == host && address.port == port && address.isSecure == isSecure)
  }

  /// Without TLS, the token may only be sent to this machine.
  @Test(
    arguments: [
      "ws://10.0.0.5:8480", "http://shelf.local", "ftp://127.0.0.1", "127.0.0.1:8480", "wss://", "wss://a b",
      "wss://a:99999", "wss://a\r\nb", "wss://a:1:2",
    ])
  func otherAddressIsNone(text: String) { #expect(ChannelAddress(text) == nil) }
}

@Suite struct ServedFileTests {
  @Test(
    arguments: [
      (nil, .whole), ("bytes=0-", .part(0..<100)), ("bytes=10-19", .part(10..<20)),
      ("bytes=90-200", .part(90..<100)), ("bytes=-10", .part(90..<100)), ("bytes=-200", .part(0..<100)),
      ("bytes=100-", .none), ("bytes=-0", .none), ("bytes=9223372036854775807-", .none),
      ("bytes=0-9223372036854775807", .part(0..<100)), ("bytes=5-4", .none), ("bytes=0-1,3-4", .whole),
      ("bytes=a-b", .whole), ("items=0-1", .whole), ("bytes=-", .whole),
      ("bytes=99999999999999999999-", .whole), ("bytes=99999999999999999999-5", .whole),
    ] as [(String?, ByteRange)])
  func rangeIsRead(header: String?, expected: ByteRange) {
    #expect(ByteRange(header, size: 100) == expected)
  }

  @Test func onlyFilesOfTheFolderAreServed() throws {
    let folder = try TestFolder()
    folder.write("0123456789", to: "film.mp4")
    folder.write("secret", to: "film.txt")
    folder.write("hidden", to: ".film.mp4")
    try folder.link("link.mp4", to: "/etc/hostname")
    func status(_ name: String) -> Int { Reply.file(name, in: folder.path, range: nil).status }
    #expect(status("film.mp4") == 200)
    for name in [
      "film.txt", ".film.mp4", "link.mp4", "", "..", "%2e%2e%2fetc%2fhostname.mp4", "a%00.mp4", "%zz.mp4",
      "nowhere.mp4", "%ff.mp4", "..%2f%cc%81film.mp4", "%2e%cc%81film.mp4", "a%2f%cc%81..%2ffilm.mp4",
    ] {
      #expect(status(name) == 404, "\(name)")
    }
    let part = Reply.file("film.mp4", in: folder.path, range: "bytes=2-3")
    #expect(part.status == 206 && part.headers["Content-Range"] == "bytes 2-3/10" && part.file?.length == 2)
    #expect(Reply.file("film.mp4", in: folder.path, range: "bytes=10-").status == 416)
  }
}

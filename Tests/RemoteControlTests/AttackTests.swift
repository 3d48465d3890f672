import Capture
import Foundation
import Glibc
import HTTPService
import JSON
import System
import Testing

@testable import RemoteControl
@testable import ViewfinderPage

/// Five hundred attacks on a viewfinder, listed or generated from seeds. None obtains a picture or a file or executes a command,
/// and admitted clients are still served afterwards.
@Suite(.serialized) struct AttackTests {
  /// The statuses that a client without a secret may get; all are refusals.
  private static let refusals: Set<Int> = [0, 400, 401, 403, 404, 405, 408, 411, 413, 426]

  /// Sends a request.
  /// - Returns: the status, or 0 without an answer, and the body.
  private static func ask(_ rig: ServerRig, _ head: [UInt8]) async throws -> (status: Int, body: [UInt8]) {
    let channel = try rig.connect()
    return try await aside {
      _ = channel.write(head, within: 5)
      channel.endWriting()
      var (bytes, patience) = ([UInt8](), Patience(seconds: 20))
      while bytes.count < 1 << 20, let more = try? channel.read(1 << 16, &patience) { bytes += more }
      let words = bytes.prefix(64).split(separator: 32)
      let status = words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
      let end = bytes.firstIndex(of: [13, 10, 13, 10])
      return (status, end.map { Array(bytes[($0 + 4)...]) } ?? [])
    }
  }

  private static func ask(_ rig: ServerRig, _ lines: [String]) async throws -> (status: Int, body: [UInt8]) {
    try await ask(rig, Array((lines + ["", ""]).joined(separator: "\r\n").utf8))
  }

  private static func isServed(_ rig: ServerRig) async throws -> Bool {
    try await rig.status("/session", [rig.bearer]) == 200
  }

  // MARK: - Requests of strangers

  private static let paths = [
    "/", "//", "/manifest.json", "/icon.png", "/icon.png/", "/channel", "/pictures", "/pictures.mjpeg",
    "/session", "/schema.json",
    "/ticket/recordings/a.mp4",
    "/recordings/film.mp4", "/photos/film.mp4", "/?token=", "/?ticket=", "/channel?token=x", "/recordings/..",
    "/%2e%2e/%2e%2e/etc/passwd", "*", "http://127.0.0.1/", "/channel#", "/\u{212A}", "/pictures/../channel",
  ]
  /// What anybody may have.
  private static let `public` =
    [PageDocument.bytes] + PageDocument.installation.values.map(\.bytes)
  private static let methods = [
    "GET", "HEAD", "POST", "PUT", "OPTIONS", "CONNECT", "TRACE", "get", "G\u{301}ET", "",
  ]

  /// 150 requests without any secret, generated from a seed.
  @Test func strangersGetNothing() async throws {
    let rig = try await ServerRig()
    rig.rig.folder.write("secret of the folder", to: "film.mp4")
    var generator = SplitMix64(seed: 38)
    for round in 0..<150 {
      let (method, path) = (
        Self.methods.randomElement(using: &generator)!, Self.paths.randomElement(using: &generator)!
      )
      let headers = [
        "Host: \(rig.host)", "Host: \(rig.host).evil.example", "Origin: http://\(rig.host)", "Origin: null",
        "Cookie: swiftwing-view-\(rig.server.port)=\(rig.token.text); session=\(rig.token.text)",
        "Authorization: Basic \(rig.token.text)", "Authorization: Bearer", "Upgrade: websocket",
        "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Protocol: swiftwing, swiftwing.session.\(rig.token.text)",
        "Content-Length: 10", "Transfer-Encoding: chunked", "X: \u{0}", "X\u{301}: y", " folded",
        "Range: bytes=0-",
        "Referer: http://\(rig.host)/?token=\(rig.token.text)", "X-Forwarded-Host: \(rig.host)",
      ].shuffled(using: &generator).prefix(Int.random(in: 0...12, using: &generator))
      let line =
        "\(method) \(path) HTTP/1.\(["0", "1", "1", "1", "9", "\u{661}"].randomElement(using: &generator)!)"
      let (status, body) = try await Self.ask(rig, [line] + headers)
      let isBarePage = status == 200 && (Self.public.contains(body) || body.isEmpty)
      #expect(Self.refusals.contains(status) || isBarePage, "\(round): \(line) \(headers): \(status)")
      #expect(body.firstIndex(of: Array("secret of the folder".utf8)) == nil)
    }
    #expect(try await Self.isServed(rig))
    #expect(await rig.rig.hub.session.state == .idle)
    await rig.end()
  }

  // MARK: - Guesses

  /// 100 almost correct secrets, each sent in five places.
  @Test func nearlyRightSecretsOpenNothing() async throws {
    let rig = try await ServerRig()
    let session = rig.rig.hub.sessions.begin()
    let ended = rig.rig.hub.sessions.begin()
    rig.rig.hub.sessions.end(ended)
    var guesses = [ended.secret.text]
    for right in [rig.token.text, session.secret.text] {
      guesses += [
        "", String(right.dropLast()), right + "0", right + "\u{301}", right + "%00", right.uppercased() + "G",
        "0" + right, right + right, String(right.reversed()) + "x",
      ]
    }
    guesses.append(AccessToken().text)
    for guess in guesses {
      for (path, headers) in [
        ("/channel", ["Authorization: Bearer \(guess)"]),
        ("/schema.json", ["Cookie: swiftwing-view-\(rig.server.port)=\(guess)"]),
        ("/schema.json", ["Sec-WebSocket-Protocol: swiftwing, swiftwing.session.\(guess)"]),
        ("/?token=\(guess.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")", []),
        (
          "/photos/film.mp4?ticket=\(guess.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")",
          []
        ),
      ] {
        let status = try await rig.status(path, headers)
        #expect([401, 400].contains(status), "\(path) \(headers): \(status)")
      }
    }
    #expect(guesses.count * 5 == 100)
    #expect(try await Self.isServed(rig))
    await rig.end()
  }

  // MARK: - Names

  /// 100 file names that lead out of the folder, requested by an admitted client.
  @Test func namesLeadToFilesOfTheFolderAlone() async throws {
    let rig = try await ServerRig()
    let folder = rig.rig.folder
    folder.write("right", to: "caf\u{E9}.mp4")
    folder.write("hidden", to: ".film.mp4")
    try folder.link("link.mp4", to: "/etc/passwd")
    mkfifo("\(folder.path)/pipe.mp4", 0o600)
    mkdir("\(folder.path)/folder.mp4", 0o700)
    #expect(try await rig.status("/recordings/caf%C3%A9.mp4", [rig.bearer]) == 200)
    let tails = [
      "link.mp4", "pipe.mp4", "folder.mp4", ".film.mp4", "cafe%CC%81.mp4", "settings.json", "", ".", "..",
      "%2e%2e%2fetc%2fpasswd", "..%2f..%2fetc%2fpasswd.mp4", "%2fetc%2fpasswd.mp4", "%2f%CC%81etc.mp4",
      "%2e%CC%81film.mp4", "a%00.mp4", "%ff%fe.mp4", "%c0%af.mp4", "%e2%80%ae.mp4", "caf%C3%A9.mp4%00.jpg",
      "caf%C3%A9.mp4%2f", "caf%C3%A9.mp4%20", "%", "%2", "%zz.mp4",
      "\(String(repeating: "a", count: 300)).mp4",
    ]
    for tail in tails {
      for path in ["/recordings/\(tail)", "/photos/\(tail)", "/recordings/./\(tail)", "/recordings//\(tail)"]
      {
        let (status, body) = try await Self.ask(
          rig, ["GET \(path) HTTP/1.1", "Host: \(rig.host)", "Connection: close", rig.bearer])
        #expect(status == 404, "\(path): \(status) \(String(decoding: body, as: UTF8.self))")
      }
    }
    #expect(tails.count * 4 == 100)
    #expect(try await Self.isServed(rig))
    await rig.end()
  }

  // MARK: - Frames and messages

  /// 100 byte sequences on an open channel, listed or generated from a seed. Each ends only its own connection, or is answered with
  /// an error. Another client keeps receiving pictures.
  @Test func framesEndTheirOwnConnectionAlone() async throws {
    let rig = try await ServerRig()
    let looker = try await Looker(rig)
    #expect(try await looker.sees(1))
    var generator = SplitMix64(seed: 500)
    var attacks: [[UInt8]] = [
      [0x81, 0x01, 0x41], [0xC1, 0x81, 0, 0, 0, 0, 0x41], [0x83, 0x80, 0, 0, 0, 0], [0x09, 0x80, 0, 0, 0, 0],
      [0x89, 0xFE, 0, 126, 0, 0, 0, 0], [0x80, 0x80, 0, 0, 0, 0], [0x81, 0xFE, 0, 1, 0, 0, 0, 0, 65],
      [0x81, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], [0x88, 0x81, 0, 0, 0, 0, 1],
      [0x81, 0x82, 0, 0, 0, 0, 0xC3, 0x28], [0x81, 0xFF, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0],
    ]
    while attacks.count < 100 {
      attacks.append(
        (0..<Int.random(in: 2...200, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        })
    }
    for (index, attack) in attacks.enumerated() {
      let socket = try await rig.socket(index % 2 == 0 ? "/channel" : "/pictures")
      try await aside {
        _ = socket.channel.write(attack, within: 5)
        socket.channel.endWriting()
        while socket.receive(within: 20) != nil {}
      }
    }
    #expect(try await looker.sees(2))
    #expect(try await Self.isServed(rig))
    await rig.end()
  }

  /// 50 messages of an admitted client. Each is refused or answered, nothing is deleted, and other clients are not flooded.
  @Test func messagesAreRefusedOneByOne() async throws {
    let rig = try await ServerRig()
    let folder = rig.rig.folder
    folder.write("composed", to: "caf\u{E9}.mp4")
    let listener = Listener(77)
    await rig.rig.hub.connect(listener.client)
    let names = [
      "cafe\u{301}.mp4", "/caf\u{E9}.mp4", "/\u{301}caf\u{E9}.mp4", "../caf\u{E9}.mp4", "./caf\u{E9}.mp4", "",
      ".", "..",
      "caf\u{E9}.mp4/", "caf\u{E9}.mp4\u{0}", "caf\u{E9}.MP4", "CAF\u{C9}.mp4", "caf\u{E9}.mp4\u{200D}",
      "\u{202E}4pm.\u{E9}fac", String(repeating: "\u{E9}", count: 1000),
    ]
    for (index, name) in names.enumerated() {
      let answer = await rig.rig.hub.ask(
        listener, "deleteRecording", ["name": .string(name)], id: "n\(index)")
      #expect(answer?["status"] == .string("refused"), "\(name.debugDescription)")
    }
    let raw = [
      "", "{", "null", "[]", "{}", #"{"type":1}"#, #"{"type":"command"}"#,
      #"{"type":"command","id":1,"command":"pause"}"#,
      #"{"type":"command","id":"x","id":"y","command":"pause"}"#,
      "{\"type\":\"shown\",\"a\":\"\(String(repeating: "x", count: 4000))\"}",
      "{\"type\":\"clock\",\"id\":\"\(String(repeating: "i", count: 200))\"}",
      String(repeating: "[", count: 5000), "\u{FEFF}{}",
      #"{"type":"command","id":"a","command":"setISO","arguments":{"value":1e999}}"#, "\"\\ud800\"",
      #"{"type":"Command","id":"a","command":"pause"}"#,
      #"{"type":"command","id":"a","command":"pause","arguments":[]}"#,
      #"{"type":"command","id":"a","command":"pause","arguments":{"é":1,"é":2}}"#, "nul", "1e",
      #"{"type":"logOut"}"#,
    ]
    for text in raw { rig.rig.hub.take(Array(text.utf8), from: listener.client) }
    for (index, name) in [
      "dockstop", "DockStop", "\u{64}ock\u{301}Stop", "stopRecording\u{0}", "log\u{4F}ut ", "pause\u{301}",
      "", "logout", "setiso", "\u{212A}", "dock", "retry ", " retry", "deleteRecording/",
    ]
    .enumerated() {
      let answer = await rig.rig.hub.ask(listener, name, id: "c\(index)")
      #expect(answer?["status"] == .string("refused"), "\(name)")
    }
    #expect(names.count + raw.count + 14 == 50)
    #expect(folder.names.contains { $0.isExactly("caf\u{E9}.mp4") })
    #expect(listener.messages.count { $0["type"] == .string("error") } >= raw.count - 2)
    #expect(try await Self.isServed(rig))
    await rig.end()
  }
}

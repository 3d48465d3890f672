import Foundation
import System
import Testing

@testable import HTTPService
@testable import TalariaServer

/// The limits of the reference server, tested with raw sockets. The clock of these servers advances only when the server reads it.
@Suite struct ServerLimitTests {
  /// Limits of hours, which do not matter. A test lowers the limit that it is about.
  static let patient = ServerLimits(headSeconds: 3600, bytesPerSecond: 1, idleSeconds: 3600)
  static let hello = "GET /v3/jobs/scans/none/events HTTP/1.1\r\nHost: x\r\n"

  private func server(
    _ limits: ServerLimits = patient, jump seconds: Double = 0, heartbeat: TimeInterval = 30,
    recognizer: @escaping TalariaServer.Recognizer = { _ in [] }
  ) throws -> TalariaServer {
    let time = Locked(0.0)
    let clock: SecondsClock = {
      time.withLock { time in
        time += seconds
        return time
      }
    }
    return try TalariaServer(heartbeat: heartbeat, limits: limits, clock: clock, recognizer: recognizer)
  }

  // MARK: Requests that two readers could understand differently

  @Test(arguments: [
    "Content-Length: 3\r\nContent-Length: 4", "Content-Length: 3, 4", "Content-Length: +3",
    "Content-Length: 0x3", "Content-Length: -3", "Content-Length: 3 3", "Content-Length:",
    "Content-Length: ٣",
    "Content-Length: 3\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 3",
    "Content-Length : 3", " Content-Length: 3", "X: a\r\n Content-Length: 3", "X: a\r\n\tb", "X: a\rb",
    "X: a\nContent-Length: 3", "X: a\0b", "X", ": a", "X y: a", "Host: y",
    "Idempotency-Key: a\r\nIdempotency-Key: b",
  ])
  func ambiguousRequestIsRefused(header: String) async throws {
    let server = try server()
    let answer = await onOwnThread { [port = server.port] in
      let client = RawClient(port: port)
      client.send("POST /v3/jobs/scans HTTP/1.1\r\nHost: x\r\n\(header)\r\n\r\nabc\(Self.hello)\r\n")
      return client.rest()
    }
    #expect(answer.text.hasPrefix("HTTP/1.1 400 ") && answer.isClosed, "\(header)")
    #expect(answer.text.components(separatedBy: "HTTP/1.1 ").count == 2, "one answer: \(answer.text)")
  }

  @Test(arguments: [
    "GET  / HTTP/1.1", "GET / HTTP/1.1 ", " GET / HTTP/1.1", "GET /\u{1} HTTP/1.1", "GET / HTTP/2.0", "GET /",
    "GET\t/ HTTP/1.1", "G(T / HTTP/1.1", "GET / http/1.1", "GET / HTTP/1.10",
  ])
  func lineThatIsNoRequestIsRefused(line: String) async throws {
    let server = try server()
    let answer = await onOwnThread { [port = server.port] in
      let client = RawClient(port: port)
      client.send("\(line)\r\nHost: x\r\n\r\n")
      return client.rest()
    }
    #expect(answer.text.hasPrefix("HTTP/1.1 400 ") && answer.isClosed)
  }

  @Test(arguments: [
    ("Content-Length: 99999999999999999999", 413), ("Content-Length: \(IncomingRequest.bodyLimit + 1)", 413),
    ("Transfer-Encoding: chunked", 411),
    ("X: \(String(repeating: "a", count: IncomingRequest.headLimit))", 413),
  ])
  func requestThatIsTooMuchIsRefused(header: String, status: Int) async throws {
    let server = try server()
    let answer = await onOwnThread { [port = server.port] in
      let client = RawClient(port: port)
      client.send("POST /v3/jobs/scans HTTP/1.1\r\nHost: x\r\n\(header)\r\n\r\n")
      return client.rest()
    }
    #expect(answer.text.hasPrefix("HTTP/1.1 \(status) ") && answer.isClosed)
  }

  /// RFC 9112, section 6.3: a repeated equal length is accepted. Section 2.2: an empty line before a request is ignored.
  @Test func sameLengthTwiceIsOne() async throws {
    let server = try server()
    let answer = await onOwnThread { [port = server.port] in
      let client = RawClient(port: port)
      client.send(
        "\r\nPOST /none HTTP/1.1\r\nhost: x\r\nContent-Length: 3\r\ncontent-length: 3 ,3\r\n\r\nabc")
      client.send("\(Self.hello)Connection: close\r\n\r\n")
      return client.rest()
    }
    #expect(answer.text.components(separatedBy: "HTTP/1.1 404 ").count == 3, "\(answer.text)")
  }

  // MARK: The end of a connection

  @Test(arguments: [
    "\(hello)Connection: close\r\n\r\n", "\(hello)connection: keep-alive, Close\r\n\r\n",
    "GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
  ])
  func connectionEndsWhenTheClientSaysSo(request: String) async throws {
    let server = try server()
    let answer = await onOwnThread { [port = server.port] in
      let client = RawClient(port: port)
      client.send(request)
      return client.rest()
    }
    #expect(answer.text.hasPrefix("HTTP/1.1 404 ") && answer.text.contains("\r\nConnection: close\r\n"))
    #expect(answer.isClosed)
  }

  @Test func connectionOtherwiseStays() async throws {
    let server = try server()
    let answers = await onOwnThread { [port = server.port] in
      let client = RawClient(port: port)
      return (0..<3).map { _ in
        client.send(Self.hello + "\r\n")
        return client.head()
      }
    }
    #expect(answers.allSatisfy { $0.hasPrefix("HTTP/1.1 404 ") && !$0.contains("Connection") })
    #expect(server.statistics.connections == 1)
  }

  /// HTTP/1.0 has no chunks, so the stream ends with its connection.
  @Test func streamForAnOldClientHasNoChunks() async throws {
    let server = try server { _ in [FoundBook(title: "Dune")] }
    let job = server.jobs.job(forKey: "k").id
    server.recognize(Upload(parts: []), job: job, nil)
    let answer = await onOwnThread { [port = server.port] in
      let client = RawClient(port: port)
      client.send("GET /v3/jobs/scans/\(job)/events HTTP/1.0\r\n\r\n")
      return client.rest()
    }
    #expect(!answer.text.contains("chunked") && answer.text.contains("\r\n\r\nretry: 10\n\n"))
    #expect(answer.text.hasSuffix("event: complete\ndata: {\"books\":1}\n\n") && answer.isClosed)
  }

  @Test func streamOfASlowJobGivesSignsOfLife() async throws {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let server = try server(heartbeat: 0.001) { _ in
      for await _ in gate {}
      return [FoundBook(title: "Dune")]
    }
    let job = server.jobs.job(forKey: "k").id
    server.recognize(Upload(parts: []), job: job, nil)
    let (slow, rest) = await onOwnThread { [port = server.port] in
      let client = RawClient(port: port)
      client.send("GET /v3/jobs/scans/\(job)/events HTTP/1.0\r\n\r\n")
      let slow = (0..<3).map { _ in client.text(through: ": heartbeat\n\n") }
      open.finish()
      return (slow, client.rest())
    }
    #expect(slow.allSatisfy { $0.hasSuffix(": heartbeat\n\n") && !$0.contains("result") })
    #expect(rest.text.hasSuffix("event: complete\ndata: {\"books\":1}\n\n") && rest.isClosed)
  }

  /// Events are numbered from 1. A client that names a smaller number gets each event once, too.
  @Test func noEventIsSentTwice() async throws {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let server = try server(heartbeat: 0.001) { _ in
      for await _ in gate {}
      return []
    }
    let job = server.jobs.job(forKey: "k").id
    server.recognize(Upload(parts: []), job: job, nil)
    let text = await onOwnThread { [port = server.port] in
      let client = RawClient(port: port)
      client.send("GET /v3/jobs/scans/\(job)/events HTTP/1.0\r\nLast-Event-ID: -9\r\n\r\n")
      let text = client.text(through: "id: 1\n") + client.text(through: ": heartbeat\n\n")
      open.finish()
      return text
    }
    #expect(text.components(separatedBy: "id: 1\n").count == 2)
  }

  // MARK: Slow clients

  /// A client that sends single bytes is given up after the allowed time, however many bytes it has sent.
  @Test(arguments: [
    "GET / HTTP/1.1\r\nX: ", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 80000000\r\n\r\n",
  ])
  func dripIsGivenUp(beginning: String) async throws {
    // Received bytes extend the deadline, but by almost nothing at this rate, so the size of a read does not matter.
    var limits = Self.patient
    limits.bytesPerSecond = 1e12
    let server = try server(limits, jump: 2000)
    let answer = await onOwnThread { [port = server.port] in
      let client = RawClient(port: port)
      client.send(beginning)
      client.drip(UInt8(ascii: "a"))
      return client.rest()
    }
    #expect(answer.text.hasPrefix("HTTP/1.1 408 ") && answer.isClosed, "\(answer)")
  }

  /// The clock is held until the client has sent its data.
  @Test func silenceIsGivenUp() async throws {
    var limits = Self.patient
    limits.headSeconds = 0.01
    let time = HeldTime()
    let server = try TalariaServer(limits: limits, clock: time.look) { _ in [] }
    let answers = await onOwnThread { [port = server.port] in
      ["GET / HT", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc", ""].map { beginning in
        time.hold()
        let client = RawClient(port: port)
        client.send(beginning)
        time.pass()
        return client.rest()
      }
    }
    #expect(answers.allSatisfy { $0.isClosed })
    #expect(answers[0].text.hasPrefix("HTTP/1.1 408 ") && answers[1].text.hasPrefix("HTTP/1.1 408 "))
    #expect(answers[2].text.isEmpty, "nothing was requested")
  }

  /// A client that is idle between two requests gets no error, but its connection is closed.
  @Test func idleConnectionIsClosedWithoutAWord() async throws {
    var limits = Self.patient
    limits.idleSeconds = 0.01
    let server = try TalariaServer(limits: limits) { _ in [] }
    let (first, rest) = await onOwnThread { [port = server.port] in
      let client = RawClient(port: port)
      client.send(Self.hello + "\r\n")
      return (client.head(), client.rest())
    }
    #expect(first.hasPrefix("HTTP/1.1 404 ") && rest.isClosed && rest.text.isEmpty)
  }

  /// The client reads nothing, so the system's bounded buffers fill up.
  @Test func clientThatReadsNothingIsGivenUp() async {
    var ends: [CInt] = [-1, -1]
    #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { close(ends[1]) }
    let limits = ServerLimits(bytesPerSecond: 1e12, idleSeconds: 0.01)
    let channel = Channel(socket: ends[0], limits: limits, clock: HeldTime().look)
    let isGivenUp = await onOwnThread {
      (0..<1000).contains { _ in !channel.write([UInt8](repeating: 7, count: 1 << 16)) }
    }
    #expect(isGivenUp)
  }

  @Test func handshakeThatNeverComesIsGivenUp() async throws {
    let server = try TalariaServer(
      certificate: ServerCertificate(), limits: ServerLimits(headSeconds: 0.01)
    ) { _ in [] }
    let answer = await onOwnThread { [port = server.port] in RawClient(port: port).rest() }
    #expect(answer.isClosed)
  }

  @Test func stopEndsAHandshakeToo() async throws {
    let server = try TalariaServer(certificate: ServerCertificate(), limits: Self.patient) { _ in [] }
    let client = RawClient(port: server.port)
    client.send("\u{16}")
    server.stop()
    #expect(await onOwnThread { client.rest() }.isClosed)
  }

  // MARK: Many clients

  @Test func connectionTooManyIsTold() async throws {
    var limits = Self.patient
    (limits.connections, limits.retryAfter) = (2, 7)
    let server = try server(limits)
    let (seated, refused, after) = await onOwnThread { [port = server.port] in
      let seated = (0..<2).map { _ in RawClient(port: port) }
      for client in seated { client.send(Self.hello + "\r\n") }
      let heads = seated.map { $0.head() }
      let third = RawClient(port: port)
      third.send(Self.hello + "\r\n")
      let refused = third.rest()
      seated[0].send(Self.hello + "Connection: close\r\n\r\n")
      _ = seated[0].rest()
      // The slot becomes free when its thread ends, shortly after the connection is closed.
      var after = ""
      while !after.hasPrefix("HTTP/1.1 404 "), after.isEmpty || after.hasPrefix("HTTP/1.1 503 ") {
        let fourth = RawClient(port: port)
        fourth.send(Self.hello + "Connection: close\r\n\r\n")
        after = fourth.rest().text
      }
      return (heads, refused, after)
    }
    #expect(seated.allSatisfy { $0.hasPrefix("HTTP/1.1 404 ") })
    #expect(refused.text.hasPrefix("HTTP/1.1 503 ") && refused.text.contains("\r\nRetry-After: 7\r\n"))
    #expect(refused.isClosed && after.hasPrefix("HTTP/1.1 404 "))
  }

  /// The limit covers uploads that are being received and uploads that wait for recognition.
  @Test func uploadsTooManyAtOnceAreTold() async throws {
    let (isOpen, reads) = (Locked(false), Locked(0))
    var limits = Self.patient
    limits.uploadBytes = 100_000
    let server = try server(limits) { _ in
      reads.withLock { $0 += 1 }
      while !isOpen.withLock({ $0 }) { await Task.yield() }
      return []
    }
    let form = Self.form(bytes: 60_000)
    let port = server.port
    #expect(await onOwnThread { Self.upload(form, port) }.hasPrefix("HTTP/1.1 202 "))
    let refused = await onOwnThread { Self.upload(form, port) }
    #expect(refused.hasPrefix("HTTP/1.1 503 ") && refused.contains("\r\nRetry-After: 5\r\n"))
    #expect(await onOwnThread { Self.upload(Self.form(bytes: 20_000), port) }.hasPrefix("HTTP/1.1 202 "))
    #expect(server.statistics.refused == 1)
    isOpen.withLock { $0 = true }
    var answer = refused
    while answer.hasPrefix("HTTP/1.1 503 ") { answer = await onOwnThread { Self.upload(form, port) } }
    #expect(answer.hasPrefix("HTTP/1.1 202 "))
    #expect(reads.withLock { $0 } >= 2)
  }

  /// The limit counts received bytes, not the announced length.
  @Test func uploadThatOnlySaysItIsLargeTakesNoRoom() async throws {
    var limits = Self.patient
    limits.uploadBytes = 100_000
    let server = try server(limits)
    let answer = await onOwnThread { [port = server.port] in
      let boaster = RawClient(port: port)
      boaster.send("POST /v3/jobs/scans HTTP/1.1\r\nHost: x\r\nContent-Length: 80000000\r\n\r\nabc")
      return Self.upload(Self.form(bytes: 60_000), port)
    }
    #expect(answer.hasPrefix("HTTP/1.1 202 "))
  }

  @Test func longKeyAndLongTextAreRefused() async throws {
    let server = try server()
    let long = Self.form(bytes: ServerLimits.textLimit + 1, name: "text")
    let answers = await onOwnThread { [port = server.port] in
      [
        Self.upload(Self.form(bytes: 9), port, key: String(repeating: "k", count: 256)),
        Self.upload(long, port),
      ]
    }
    #expect(answers[0].hasPrefix("HTTP/1.1 400 ") && answers[1].hasPrefix("HTTP/1.1 413 "))
    #expect(server.statistics.jobs == 0)
  }

  private static func form(bytes: Int, name: String = "image") -> String {
    "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n" + String(repeating: "x", count: bytes)
      + "\r\n--b--\r\n"
  }

  private static func upload(_ form: String, _ port: UInt16, key: String = UUID().uuidString) -> String {
    let client = RawClient(port: port)
    client.send(
      "POST /v3/jobs/scans HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIdempotency-Key: \(key)\r\n"
        + "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: \(form.utf8.count)\r\n\r\n\(form)"
    )
    return client.rest().text
  }
}

import Foundation
import System
import TalariaServer
import Testing

@testable import Library
@testable import Uploads

@Suite struct TalariaClientTests {
  let titles = ["Dune", "Emma"]

  @Test func scanBecomesBooks() async throws {
    let talaria = try TalariaFixture()
    let job = try await talaria.upload()
    #expect(try await talaria.follow(job).map(\.title) == titles)
    #expect(talaria.progress.withLock { $0.first } == .working(stage: "reading", fraction: 0))
    #expect(talaria.server.statistics.openJobs == 1)
    try await talaria.client.cleanUp(job.id)
    #expect(talaria.server.statistics.openJobs == 0)
    try await talaria.client.cleanUp(job.id)
  }

  @Test func sameKeyIsOneJob() async throws {
    let talaria = try TalariaFixture()
    let first = try await talaria.upload(key: "k")
    #expect(try await talaria.upload(key: "k") == first)
    #expect(try await talaria.upload(key: "l") != first)
    #expect(talaria.server.statistics.jobs == 2)
  }

  @Test(arguments: [
    Fault.duplicateEvents, .outOfOrderEvents, .halfEvent, .reset, .drop, .status(503), .delay(5),
  ])
  func streamSurvives(fault: Fault) async throws {
    let talaria = try TalariaFixture()
    let job = try await talaria.upload()
    talaria.server.faults.add(fault, to: .stream)
    #expect(try await talaria.follow(job).map(\.title) == titles)
    let found = talaria.progress.withLock { $0.filter { if case .found = $0 { true } else { false } } }
    #expect(found.count == 2)
  }

  @Test func threeRetriesAfterOneTwoFourSecondsThenAnError() async throws {
    let talaria = try TalariaFixture()
    let job = try await talaria.upload()
    talaria.server.faults.always(.status(500), at: .stream)
    let error = await #expect(throws: BackendError.self) { try await talaria.follow(job) }
    #expect(error?.kind == .unavailable(endsJob: false, for: nil))
    #expect(talaria.clock.slept == [1, 2, 4])
    #expect(talaria.server.statistics.streams == 0)
  }

  @Test func reconnectionGoesOnWhereItBrokeOff() async throws {
    let talaria = try TalariaFixture()
    let job = try await talaria.upload()
    talaria.server.faults.add(.halfEvent, .halfEvent, to: .stream)
    #expect(try await talaria.follow(job).count == 2)
    #expect(talaria.clock.slept.first == 1 && talaria.clock.slept.count == 2)
  }

  /// The stream sends the same events at each connection, and ends before the job. Only new events reset the retry pauses.
  @Test(arguments: [
    // The last event lacks its final empty line, so it is incomplete.
    "id: 1\nevent: progress\ndata: {\"stage\":\"x\",\"fraction\":0.5}\n\nid: 2\nevent: result\ndata: {\"index\":0,\"title\":\"Dune\"}\n\nid: 3\nevent: complete\ndata: {\"books\":1}\n",
    // The job announces five books and sends one.
    "event: result\ndata: {\"title\":\"Dune\"}\n\nevent: complete\ndata: {\"books\":5}\n\n", "",
    "event: progress\ndata: {}\n\nevent: noise\ndata: 1\n\n",
  ])
  func streamThatIsNeverWholeIsAskedForFourTimes(events: String) async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
    let server = CannedServer(["/a": Array((head + events).utf8)])
    let clock = InstantClock()
    let client = try TalariaClient(.patient(server.url), device: BackendIdentity(secret: "s"), clock: clock)
    let error = await #expect(throws: BackendError.self) {
      try await client.follow(QueuedScan.Job(id: "a", streamURL: "\(server.url)/a"), of: UUID()) { _ in }
    }
    #expect(clock.slept == [1, 2, 4] && server.requests.count == 4)
    #expect(error?.kind == .rejected)
    #expect(
      error?.description.contains("4 event streams in a row ended before the job, with nothing new") == true)
  }

  @Test(arguments: [("7", 7.0), ("33.5", 34), ("Fri, 15 Jan 2027 08:00:20 GMT", 20), ("nonsense", 30)])
  func tooManyRequestsSaysUntilWhen(retryAfter: String, seconds: TimeInterval) async throws {
    let talaria = try TalariaFixture()
    talaria.server.faults.add(.tooManyRequests(retryAfter), to: .upload)
    let error = await #expect(throws: BackendError.self) { try await talaria.upload() }
    #expect(error?.kind == .limited(for: seconds))
  }

  @Test(arguments: [
    (Fault.status(500), BackendError.Kind.unavailable(endsJob: false, for: nil)), (.status(400), .rejected),
    (.status(401), .rejected), (.status(404), .rejected), (.status(409), .failed(endsJob: false)),
    (.status(413), .rejected), (.status(408), .unavailable(endsJob: false, for: nil)),
    (.status(425), .unavailable(endsJob: false, for: nil)),
    (.status(200), .unavailable(endsJob: false, for: nil)),
    (.nonsense, .unavailable(endsJob: false, for: nil)), (.drop, .offline), (.reset, .offline),
  ])
  func uploadFaultHasItsKind(fault: Fault, kind: BackendError.Kind) async throws {
    let talaria = try TalariaFixture()
    // The fault persists, because libcurl itself repeats a request if a kept connection turns out to be closed.
    talaria.server.faults.always(fault, at: .upload)
    let error = await #expect(throws: BackendError.self) { try await talaria.upload() }
    #expect(error?.kind == kind)
  }

  @Test(arguments: [
    (Fault.wrongContentType, BackendError.Kind.unavailable(endsJob: false, for: nil)),
    (.status(404), .unavailable(endsJob: true, for: nil)),
    (.status(410), .unavailable(endsJob: true, for: nil)),
    (.nonsense, .failed(endsJob: true)), (.hugeEvent(1 << 30), .failed(endsJob: true)),
    (.jobError(retryable: true), .failed(endsJob: true)),
  ])
  func streamFaultHasItsKind(fault: Fault, kind: BackendError.Kind) async throws {
    let talaria = try TalariaFixture()
    if case .jobError = fault { talaria.server.faults.add(fault, to: .upload) }
    talaria.server.faults.always(fault, at: .stream)
    let job = try await talaria.upload()
    let error = await #expect(throws: BackendError.self) { try await talaria.follow(job) }
    #expect(error?.kind == kind)
  }

  /// The client refuses the event after reading little of it.
  @Test func eventOfAGigabyteIsRefusedClearly() async throws {
    let talaria = try TalariaFixture()
    talaria.server.faults.always(.hugeEvent(1 << 30), at: .stream)
    let job = try await talaria.upload()
    let error = await #expect(throws: BackendError.self) { try await talaria.follow(job) }
    #expect(
      error?.description
        == "Cannot use the answer of 127.0.0.1: one event is larger than 65536 bytes; this is a fault of the server: report it to the server's operator."
    )
  }

  @Test func libcurlThatIsMissingIsAnError() {
    let error = #expect(throws: DeliveryError.self) {
      try loadLibcurl { reason, capacity in
        let text = "libcurl.so.4: there is no such file".utf8CString
        for (index, character) in text.enumerated() where index < capacity { reason[index] = character }
        return false
      }
    }
    #expect(error?.kind == .unavailable)
    #expect(
      error?.description
        == "Cannot use the network: libcurl.so.4: there is no such file; install libcurl4 and try again; scans stay queued."
    )
  }

  @Test func libcurlThatDoesNotStartIsAnError() {
    let error = #expect(throws: DeliveryError.self) { try TransferEngine(maxConnections: 1) { nil } }
    #expect(error?.kind == .unavailable)
    #expect(error?.description.hasPrefix("Cannot use the network: libcurl does not start;") == true)
  }

  @Test func errorNotWorthRetryingRejectsTheScan() async throws {
    let talaria = try TalariaFixture()
    talaria.server.faults.add(.jobError(retryable: false), to: .upload)
    let job = try await talaria.upload()
    let error = await #expect(throws: BackendError.self) { try await talaria.follow(job) }
    #expect(error?.kind == .rejected)
    #expect(error?.description.contains("too dark") == true)
  }

  @Test func silentStreamIsGivenUp() async throws {
    let talaria = try TalariaFixture { $0.silence = 60 }
    let job = try await talaria.upload()
    talaria.server.faults.always(.silence, at: .stream)
    let error = await #expect(throws: BackendError.self) { try await talaria.follow(job) }
    #expect(error?.description.contains("no sign of life") == true)
  }

  /// Each received byte extends the deadline, and nothing else does. The test controls the server and the time.
  @Test func heartbeatsKeepASlowJobAlive() async throws {
    let time = Locked(0)
    let server = SpokenServer()
    let transport = try Transport(TransportSettings(connectTimeout: TalariaSettings.hour)) {
      time.withLock { $0 }
    }
    server.say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
    let stream = try await transport.open(
      HTTPRequest(
        method: .get, url: server.url, headers: [], body: [], timeout: TalariaSettings.hour, silence: 200))
    for _ in 0..<5 {
      time.withLock { $0 += 199 }
      server.say(": heartbeat\n\n")
      #expect(try await stream.next() == Array(": heartbeat\n\n".utf8))
    }
    time.withLock { $0 += 200 }
    let error = await #expect(throws: TransferError.self) { try await stream.next() }
    #expect(error?.kind == .timedOut)
    #expect(error?.reason == "no sign of life for 0.2 seconds")
  }

  /// Heartbeats are no events: they are not reported, not counted against the limit of events, and keep the connection open. The
  /// server sends twice as many heartbeats as a job may have events, all at once.
  @Test func heartbeatsAreNoEvents() async throws {
    let heartbeats = String(repeating: ": heartbeat\n\n", count: 10_000)
    let server = CannedServer([
      "/a": Array(
        ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\nretry: 10\n\n"
          + heartbeats
          + "id: 1\nevent: result\n: heartbeat\ndata: {\"index\":0,\"title\":\"Dune\"}\n\n" + heartbeats
          + "id: 2\nevent: complete\ndata: {\"books\":1}\n\n").utf8)
    ])
    let (clock, told) = (InstantClock(), Locked<[JobProgress]>([]))
    let client = try TalariaClient(.patient(server.url), device: BackendIdentity(secret: "s"), clock: clock)
    let job = QueuedScan.Job(id: "a", streamURL: "\(server.url)/a")
    let findings = try await client.follow(job, of: UUID()) { progress in
      told.withLock { $0.append(progress) }
    }
    #expect(findings.map(\.book) == [BookFinding(title: "Dune")])
    #expect(told.withLock { $0 } == findings.map { .found($0) })
    #expect(clock.slept.isEmpty && server.requests.count == 1)
  }

  @Test func jobWithoutEndIsGivenUpAfterFiveMinutes() async throws {
    let talaria = try TalariaFixture { $0.jobLimit = 0.2 }
    talaria.server.faults.always(.silence, at: .stream)
    let job = try await talaria.upload()
    let error = await #expect(throws: BackendError.self) { try await talaria.follow(job) }
    #expect(error?.kind == .unavailable(endsJob: true, for: nil))
    #expect(TalariaSettings(server: "").jobLimit == 300)
  }

  @Test func redirectToAnotherHostIsRefused() async throws {
    let talaria = try TalariaFixture()
    let other = try TalariaFixture()
    talaria.server.faults.always(.redirect(other.server.url + "/v3/jobs/scans"), at: .upload)
    let error = await #expect(throws: BackendError.self) { try await talaria.upload() }
    #expect(error?.kind == .offline)
    #expect(error?.description.contains("redirects to another host") == true)
    #expect(other.server.statistics.connections == 0)
  }

  @Test func redirectWithinTheServerIsFollowedButNotForEver() async throws {
    let talaria = try TalariaFixture()
    talaria.server.faults.add(.redirect("/v3/jobs/scans"), to: .upload)
    _ = try await talaria.upload()
    talaria.server.faults.always(.redirect("/v3/jobs/scans"), at: .upload)
    let error = await #expect(throws: BackendError.self) { try await talaria.upload() }
    #expect(error?.description.contains("without end") == true)
  }

  @Test func streamOnAnotherHostIsRefused() async throws {
    let talaria = try TalariaFixture()
    let error = await #expect(throws: BackendError.self) {
      try await talaria.follow(.init(id: "a", streamURL: "http://127.0.0.2:9/v3/jobs/scans/a/events"))
    }
    #expect(error?.kind == .superseded)
  }

  @Test func nobodyThereIsOffline() async throws {
    let talaria = try TalariaFixture()
    talaria.server.stop()
    let error = await #expect(throws: BackendError.self) { try await talaria.upload() }
    #expect(error?.kind == .offline)
  }

  @Test func cancellingEndsTheTransfer() async throws {
    let talaria = try TalariaFixture()
    talaria.server.faults.always(.silence, at: .stream)
    let job = try await talaria.upload()
    let task = Task { try await talaria.follow(job) }
    task.cancel()
    let error = await #expect(throws: BackendError.self) { try await task.value }
    #expect(error?.kind == .cancelled)
  }

  @Test func scansShareConnections() async throws {
    // Time stands still, so the client gives up no connection whose stream ends late.
    let talaria = try TalariaFixture(ticks: { 0 })
    for _ in 0..<20 {
      let job = try await talaria.upload()
      _ = try await talaria.follow(job)
      try await talaria.client.cleanUp(job.id)
    }
    #expect(talaria.server.statistics.connections <= 3, "three transfers a scan")
  }

  @Test func largeAnswersPassSlowReaders() async throws {
    let books = (0..<900).map { FoundBook(title: "Book \($0) " + String(repeating: "x", count: 900)) }
    let talaria = try TalariaFixture(books: books)
    let job = try await talaria.upload()
    #expect(try await talaria.follow(job).count == 900)
  }

  @Test func slowServerStillGetsTheWholePhoto() async throws {
    let talaria = try TalariaFixture()
    talaria.server.faults.add(.slowReader(2), to: .upload)
    let image = [UInt8](repeating: 7, count: 1 << 20)
    guard let job = try await talaria.client.submit(.photo(image), idempotencyKey: "k") else {
      Issue.record("the server answered at once")
      return
    }
    _ = try await talaria.follow(job)
    #expect(talaria.images.withLock { $0 } == [image])
  }
}

import BookScan
import Foundation
import Glibc
import Imagery
import System
import Testing
import Uploads

@testable import Library
@testable import ScanStation

/// A backend that keeps what it is sent, and answers after a time.
private final class SlowBackend: Backend {
  let sent = Locked<[(submission: Submission, key: String)]>([])
  let cleaned = Locked<[String]>([])
  private let clock: SteppedClock
  private let seconds: (submit: TimeInterval, follow: TimeInterval)

  init(_ clock: SteppedClock, submit: TimeInterval = 0, follow: TimeInterval = 0) {
    self.clock = clock
    seconds = (submit, follow)
  }

  func submit(_ submission: Submission, idempotencyKey: String) async throws(BackendError) -> QueuedScan.Job?
  {
    sent.withLock { $0.append((submission, idempotencyKey)) }
    try await wait(seconds.submit)
    return QueuedScan.Job(id: idempotencyKey, streamURL: "https://talaria/\(idempotencyKey)")
  }

  func follow(
    _ job: QueuedScan.Job, of scan: UUID, report: @escaping @Sendable (JobProgress) -> Void
  ) async throws(BackendError) -> [Finding] {
    try await wait(seconds.follow)
    return [Finding(BookFinding(title: "Emma"))]
  }

  func cleanUp(_ jobID: String) async throws(BackendError) { cleaned.withLock { $0.append(jobID) } }

  private func wait(_ seconds: TimeInterval) async throws(BackendError) {
    do { try await clock.sleep(for: seconds) } catch {
      throw BackendError(.offline, "The connection was closed.")
    }
  }
}

/// The ways of a station that has a backend.
@Suite final class BackendWaysTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "ways-\(UUID().uuidString)")
    .path
  private let clock = SteppedClock()
  private let journal = ScanJournal(keepsCut: true)
  private let store: Store

  init() throws { store = try Store(directory: folder) }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func ways(
    _ settings: WaySettings, _ remote: any Backend, reader: PhotoReader = ScanFixture.reader()
  ) -> (ways: BackendWays, routes: Routes, events: AsyncStream<UploaderEvent>) {
    let recognition = Recognition(settings, remote: remote, reader: reader, clock: clock, journal: journal)
    let here = QueueReader(store: store, reader: reader, journal: journal, clock: clock)
    let (events, tell) = LoggedEvents.makeStream()
    return (BackendWays(remote, recognition, here: here, tell: tell), recognition.routes, events)
  }

  private func accepted() async throws -> Submission {
    let submission = Submission(
      content: .image([0xFF], mediaType: "image/jpeg"),
      capturedAt: Date(timeIntervalSince1970: 1_700_000_000),
      metadata: ["shelf": "3"])
    try await store.queue.accept(submission)
    return submission
  }

  /// The events of the journal until now, without their details.
  private func told() async -> [String] {
    journal.finish()
    var told: [String] = []
    for await event in journal.events { told.append(String("\(event)".prefix { $0 != "(" })) }
    return told
  }

  /// The text of a photo has a key of its own at the backend, which may have the photo already, and the photo's time and fields.
  @Test func textIsSentInThePlaceOfItsPhoto() async throws {
    let backend = SlowBackend(clock)
    let submission = try await accepted()
    let job = try await ways(WaySettings(first: .hybrid), backend).ways.submit(
      submission, idempotencyKey: "k")
    #expect(job?.id == "k-text")
    let sent = try #require(backend.sent.withLock { $0 }.first).submission
    #expect(sent.content == .text(["Dune\tSomebody\t", "Emma\tSomebody\t"]))
    #expect(sent.capturedAt == submission.capturedAt && sent.metadata == ["shelf": "3"])
    #expect(sent.key == submission.key)
  }

  /// The recogniser is away three times. The photo is not to blame, and nothing is given up.
  @Test func textIsSentWhenTheRecogniserIsBack() async throws {
    let backend = SlowBackend(clock)
    let away = Locked(3)
    let reader = PhotoReader(name: "scripted") { _ in
      let isAway = away.withLock { left in
        left -= 1
        return left >= 0
      }
      if isAway { throw ScanError.unavailable(what: "it", reason: "no memory", remedy: "wait") }
      return ScanFixture.reading([("Dune", 0.9)], .init(width: 1000, height: 800))
    }
    let submission = try await accepted()
    let ways = ways(WaySettings(first: .hybrid), backend, reader: reader).ways
    #expect(try await ways.submit(submission, idempotencyKey: "k")?.id == "k-text")
    #expect(clock.uptime == 7 && away.withLock { $0 } == -1)
    #expect(try await store.queue.counts() == ScanQueue.Counts(pending: 1))
  }

  /// Read here, a scan needs no job, and its file is not read back. Its delivery is told.
  @Test func aScanThatIsReadHereNeedsNoJob() async throws {
    let (ways, _, events) = ways(WaySettings(first: .local), ScriptedOutage())
    let submission = try await accepted()
    unlink("\(folder)/images/\(submission.key.fileName)")
    #expect(try await ways.submit(submission, idempotencyKey: "k") == nil)
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 1))
    for await event in events {
      guard case .delivered(submission.key, let books) = event else {
        Issue.record("\(event)")
        break
      }
      #expect(books.map(\.title) == ["Dune", "Emma"])
      break
    }
  }

  /// The uploader must try such a scan again.
  @Test func aScanIsKeptIfTheLibraryCannotBeWritten() async throws {
    let ways = ways(WaySettings(first: .local), ScriptedOutage()).ways
    let submission = try await accepted()
    try FileManager.default.removeItem(atPath: folder)
    let error = try await #require(throws: BackendError.self) {
      try await ways.submit(submission, idempotencyKey: "k")
    }
    #expect(error.kind == .failed(endsJob: false))
  }

  /// The backend takes 60 s to accept the scan, of 20.
  @Test func aBackendThatAcceptsSlowlyIsLeft() async throws {
    let ways = ways(WaySettings(first: .hybrid, limit: 20), SlowBackend(clock, submit: 60)).ways
    let submission = try await accepted()
    #expect(try await ways.submit(submission, idempotencyKey: "k") == nil)
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 1))
    #expect(await told() == ["began", "fellBack", "began", "found"])
  }

  /// The limit counts from the moment at which the scan was accepted, and the job is over.
  @Test func aJobIsLeftWhenItsTimeIsOver() async throws {
    let (ways, routes, _) = ways(WaySettings(first: .hybrid, limit: 20), SlowBackend(clock, follow: 60))
    let (scan, job) = (UUID(), QueuedScan.Job(id: "job", streamURL: "https://talaria/job"))
    routes.note(job, of: scan, by: .hybrid, at: clock.uptime)
    clock.advance(15)
    let error = try await #require(throws: BackendError.self) {
      _ = try await ways.follow(job, of: scan) { _ in }
    }
    #expect(error.kind == .superseded && clock.uptime == 20)
    #expect(
      error.description.hasPrefix(
        "The backend took longer than 20 seconds for the way hybrid, so the way local takes over"))
  }

  @Test func withoutAnotherWayASlowBackendIsAwaited() async throws {
    let backend = SlowBackend(clock, submit: 60, follow: 60)
    let ways = ways(WaySettings(first: .hybrid, fallsBack: false, limit: 20), backend).ways
    let submission = try await accepted()
    // The clock goes on when nothing else does.
    let time = Task { [clock] in
      while !Task.isCancelled {
        for _ in 0..<1000 { await Task.yield() }
        clock.advance(35)
      }
    }
    defer { time.cancel() }
    let job = try #require(try await ways.submit(submission, idempotencyKey: "k"))
    let findings = try await ways.follow(job, of: submission.key) { _ in }
    #expect(findings.map(\.book.title) == ["Emma"])
  }

  @Test func aCancelledSubmissionStaysQueued() async throws {
    clock.hold()
    let ways = ways(WaySettings(first: .hybrid), SlowBackend(clock, submit: 50)).ways
    let submission = try await accepted()
    let sending = Task { try await ways.submit(submission, idempotencyKey: "k") }
    for await event in journal.events { if case .began = event { break } }
    sending.cancel()
    let error = await #expect(throws: BackendError.self) { try await sending.value }
    #expect(error?.kind == .cancelled)
    #expect(try await store.queue.counts() == ScanQueue.Counts(pending: 1))
  }

  /// An earlier process made the job; this process has other ways.
  @Test func aJobOfAnEarlierRunIsLeft() async throws {
    let busy = ScriptedOutage(.unavailable(endsJob: false, for: nil))
    let job = QueuedScan.Job(id: "old", streamURL: "https://talaria/old")
    let several = try await #require(throws: BackendError.self) {
      _ = try await ways(WaySettings(first: .backend), busy).ways.follow(job, of: UUID()) { _ in }
    }
    #expect(several.kind == .superseded)
    let one = try await #require(throws: BackendError.self) {
      _ = try await ways(WaySettings(first: .backend, fallsBack: false), busy).ways.follow(job, of: UUID()) {
        _ in
      }
    }
    #expect(one.kind == .unavailable(endsJob: false, for: nil))
    #expect(await told() == ["unreachable"])
  }

  /// A backend that limits its rate is there; one that does not answer is not.
  @Test func whetherTheBackendIsThereIsToldOnce() async throws {
    let submission = try await accepted()
    for kind in [BackendError.Kind.offline, .limited(for: 9), .offline, .offline] {
      let ways = ways(WaySettings(first: .hybrid, fallsBack: false), ScriptedOutage(kind)).ways
      await #expect(throws: BackendError.self) { try await ways.submit(submission, idempotencyKey: "k") }
    }
    let there = ways(WaySettings(first: .hybrid, fallsBack: false), SlowBackend(clock)).ways
    _ = try await there.submit(submission, idempotencyKey: "k")
    let events = await told().filter { $0 != "began" }
    #expect(events == ["unreachable", "reached", "unreachable", "reached"])
  }

  @Test func aBackendThatReportsABookIsThere() async throws {
    journal.note(isReached: false)
    let job = QueuedScan.Job(id: "old", streamURL: "https://talaria/old")
    let ways = ways(WaySettings(first: .hybrid), SlowBackend(clock)).ways
    _ = try await ways.follow(job, of: UUID()) { _ in }
    #expect(await told() == ["unreachable", "reached", "found"])
  }

  /// What is not a picture cannot be made small; without another way the scan is refused.
  @Test func aPhotoThatCannotBeSentIsRefused() async throws {
    let ways = ways(WaySettings(first: .backend, fallsBack: false), SlowBackend(clock)).ways
    let submission = try await accepted()
    let error = try await #require(throws: BackendError.self) {
      try await ways.submit(submission, idempotencyKey: "k")
    }
    #expect(error.kind == .rejected && error.description.hasPrefix("Cannot send the scan. "))
  }

  @Test func aJobThatIsOverIsForgottenAndCleanedUp() async throws {
    let backend = SlowBackend(clock)
    let (ways, routes, _) = ways(WaySettings(first: .hybrid), backend)
    let submission = try await accepted()
    let job = try #require(try await ways.submit(submission, idempotencyKey: "k"))
    #expect(routes.route(of: job)?.scan == submission.key)
    try await ways.cleanUp(job.id)
    #expect(routes.route(of: job) == nil && backend.cleaned.withLock { $0 } == ["k-text"])
  }

  /// The fallback takes place, though it cannot be recorded.
  @Test func aFallbackThatCannotBeRecordedIsTold() async throws {
    let recognition = Recognition(
      WaySettings(first: .hybrid, limit: 20), remote: ScriptedOutage(.rejected),
      reader: ScanFixture.reader(), clock: clock, journal: journal, recordingIn: "\(folder)/nowhere")
    let here = QueueReader(store: store, reader: ScanFixture.reader(), journal: journal, clock: clock)
    let ways = BackendWays(
      ScriptedOutage(.rejected), recognition, here: here, tell: LoggedEvents.makeStream().tell)
    let submission = try await accepted()
    #expect(try await ways.submit(submission, idempotencyKey: "k") == nil)
    #expect(await told() == ["began", "fellBack", "storageTrouble", "began", "found"])
  }
}

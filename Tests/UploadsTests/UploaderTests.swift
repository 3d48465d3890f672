import Foundation
import System
import TalariaServer
import Testing

@testable import Library
@testable import Uploads

@Suite struct UploaderTests {
  let folder = try! TemporaryFolder()
  let clock = InstantClock()
  let backend = ScriptedBackend()

  private func uploader(_ store: Store, concurrency: Int = 4) -> Uploader {
    Uploader(store: store, backend: backend, clock: clock, concurrency: concurrency)
  }

  private func script(_ change: (inout ScriptedBackend.Script) -> Void) { backend.script.withLock(change) }
  private var done: ScriptedBackend.Script { backend.script.withLock { $0 } }

  @Test func drainingDeliversEverythingOnce() async throws {
    let store = try folder.store()
    for _ in 0..<20 { try await store.queue.accept(.photo()) }
    await uploader(store).drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 20))
    #expect(done.uploads.count == 20 && Set(done.uploads).count == 20 && done.cleanups.count == 20)
    #expect(folder.images.isEmpty)
    let book = try #require(try await store.library.books().first)
    #expect(try await store.library.count() == 1)
    #expect(try await store.library.sightings(of: book) == 20)
  }

  @Test func backendFailureIsRetriedAfterOneTwoFourSeconds() async throws {
    let store = try folder.store()
    try await store.queue.accept(.photo())
    script { $0.uploadErrors = Array(repeating: BackendError(.failed(endsJob: false), "busy"), count: 3) }
    await uploader(store).drain()
    #expect(clock.slept == [1, 2, 4])
    #expect(Set(done.uploads).count == 1 && done.uploads.count == 4)
    #expect(try await store.queue.counts().delivered == 1)
  }

  @Test func fourthFailureGivesUpAndKeepsTheScan() async throws {
    let store = try folder.store()
    try await store.queue.accept(.photo())
    script { $0.uploadErrors = Array(repeating: BackendError(.failed(endsJob: false), "busy"), count: 4) }
    await uploader(store).drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(failed: 1))
    #expect(try await store.queue.scans().first?.failure == "After 4 tries: busy")
    #expect(folder.images.count == 1)
    #expect(try await store.queue.retry() == 1)
    await uploader(store).drain()
    #expect(try await store.queue.counts().delivered == 1)
  }

  /// The uploader retries through any number of 503 answers. It gives up only if the backend rejects a scan.
  @Test func outageIsWaitedOutHoweverLong() async throws {
    let store = try folder.store()
    try await store.queue.accept(.photo())
    let busy = BackendError(.unavailable(endsJob: false, for: nil), "status 503")
    script {
      ($0.uploadErrors, $0.followErrors) = (
        Array(repeating: busy, count: 60), [busy, busy, busy, busy, busy]
      )
    }
    await uploader(store).drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 1))
    #expect(clock.slept.prefix(5) == [1, 2, 4, 15, 15] && clock.slept.max() == 15)
    #expect(Set(done.uploads).count == 1 && done.uploads.count == 61)
  }

  @Test func outageLastsAsLongAsTheBackendSays() async throws {
    let store = try folder.store()
    let talaria = try TalariaFixture()
    let server = CannedServer([
      "/v3/jobs/scans": Array(
        "HTTP/1.1 503 -\r\nRetry-After: 120\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
    ])
    try await store.queue.accept(.photo())
    let client = try TalariaClient(
      .patient(server.url), device: BackendIdentity(secret: "s"), clock: talaria.clock)
    let uploader = Uploader(store: store, backend: client, clock: talaria.clock)
    let run = Task { await uploader.run() }
    for await event in uploader.events { if case .postponed = event { break } }
    run.cancel()
    await run.value
    let scan = try #require(try await store.queue.scans().first)
    #expect(scan.state == .pending && scan.attempts == 0)
    #expect(
      scan.failure == "127.0.0.1 could not take the scan: status 503; the scan waits and is tried again.")
    // The stored due time is the end of the pause, so after a restart only the rest of the pause is left.
    #expect(scan.notBefore >= Date(timeIntervalSince1970: 1_800_000_120))
  }

  /// Each lost job is submitted again, after a longer pause each time.
  @Test func lostJobsAreMadeAgainLaterAndLater() async throws {
    let store = try folder.store()
    try await store.queue.accept(.photo())
    let lost = BackendError(.unavailable(endsJob: true, for: nil), "it no longer knows the job")
    script { $0.followErrors = Array(repeating: lost, count: 14) }
    await uploader(store).drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 1))
    #expect(Set(done.uploads).count == 15)
    // The pauses are 1, 2, 4, 15, 30, … 1920 seconds, and then an hour each.
    let waited = clock.now.timeIntervalSince1970 - 1_800_000_000
    #expect(waited == 14_632)
  }

  @Test func scanInTroubleAloneIsPutOffByItsOwnCount() async throws {
    let store = try folder.store()
    let poison = Submission.photo()
    try await store.queue.accept(poison)
    for _ in 0..<3 { try await store.queue.accept(.photo()) }
    let busy = BackendError(.unavailable(endsJob: false, for: nil), "status 500")
    let key = poison.key.fileName
    backend.script.withLock { $0.uploadErrorsOf[key] = Array(repeating: busy, count: 5) }
    await uploader(store, concurrency: 1).drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 4))
    // The pauses are 1, 2, 4, 15 and 15 seconds.
    let waited = clock.now.timeIntervalSince1970 - 1_800_000_000
    #expect(waited == 37)
  }

  @Test func supersededJobIsDoneAnewAtOnceAndCountsForNothing() async throws {
    let store = try folder.store()
    try await store.queue.accept(.photo())
    let error = BackendError(.superseded, "another way")
    script { $0.followErrors = Array(repeating: error, count: 6) }
    await uploader(store).drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 1))
    #expect(clock.slept.isEmpty && Set(done.uploads).count == 7)
  }

  @Test func cleanupWaitsForAnOutageAndHoldsUpNoScan() async throws {
    let store = try folder.store()
    for _ in 0..<8 { try await store.queue.accept(.photo()) }
    let busy = BackendError(.unavailable(endsJob: false, for: nil), "status 503")
    script { $0.cleanupErrors = Array(repeating: busy, count: 40) }
    let uploader = uploader(store)
    await uploader.drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 8))
    #expect(done.cleanups.count == 48 && Set(done.cleanups).count == 8)
    let events = await told(uploader)
    #expect(!events.contains { if case .offline = $0 { true } else { false } })
  }

  /// A result without titles or ISBNs fails, because delivering it would delete the image.
  @Test func resultWithoutTitleAndISBNIsNoDelivery() async throws {
    let store = try folder.store()
    try await store.queue.accept(.photo())
    script { $0.books = [BookFinding(title: "Dune"), BookFinding(isbn: "123", title: " \u{202E}")] }
    await uploader(store).drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(failed: 1))
    #expect(folder.images.count == 1)
    #expect(try await store.library.count() == 0)
    #expect(try await store.queue.scans().first?.failure?.contains("neither a title nor an ISBN") == true)
  }

  /// Findings with one id fail, because the library would take one for the other.
  @Test func findingsWithOneIdAreNoDelivery() async throws {
    let store = try folder.store()
    try await store.queue.accept(.photo())
    let backend = TwinBackend()
    await Uploader(store: store, backend: backend, clock: clock).drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(failed: 1))
    #expect(try await store.queue.scans().first?.failure?.contains("have the same id") == true)
  }

  /// If the scan was read on this machine, the backend makes no job of it. Then there is nothing to follow,
  /// to deliver or to clean up.
  @Test func aScanThatNeedsNoJobIsOver() async throws {
    let store = try folder.store()
    for _ in 0..<5 { try await store.queue.accept(.photo()) }
    let backend = ScriptedBackend {
      guard let scan = try? await store.queue.scans(limit: 1).first else { return }
      _ = try? await store.queue.deliver(scan, findings: [], at: Date(timeIntervalSince1970: 1_800_000_000))
    }
    backend.script.withLock { $0.needsNoJob = true }
    let uploader = Uploader(store: store, backend: backend, clock: clock, concurrency: 1)
    await uploader.drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 5))
    let done = backend.script.withLock { $0 }
    #expect(done.uploads.count == 5 && done.follows.isEmpty && done.cleanups.isEmpty && folder.images.isEmpty)
    #expect(
      await told(uploader).allSatisfy { if case .uploading = $0 { true } else { false } })
  }

  @Test func imageThatCannotBeReadNowIsTriedAgain() async throws {
    let store = try folder.store()
    let submission = Submission.photo()
    try await store.queue.accept(submission)
    let image = "\(folder.path)/store/images/\(submission.key.fileName)"
    // A link in place of the image is not followed. The upload waits, because the file may be restored.
    try FileManager.default.moveItem(atPath: image, toPath: "\(folder.path)/kept")
    symlink("/dev/null", image)
    let waiting = uploader(store)
    let run = Task { await waiting.run() }
    for await event in waiting.events { if case .postponed = event { break } }
    run.cancel()
    await run.value
    #expect(try await store.queue.counts() == ScanQueue.Counts(pending: 1))
    unlink(image)
    try FileManager.default.moveItem(atPath: "\(folder.path)/kept", toPath: image)
    await uploader(store).drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 1))
  }

  @Test func rejectedScanIsNotTriedAgain() async throws {
    let store = try folder.store()
    try await store.queue.accept(.photo())
    script { $0.uploadErrors = [BackendError(.rejected, "too large")] }
    await uploader(store).drain()
    #expect(done.uploads.count == 1 && clock.slept.isEmpty)
    #expect(try await store.queue.counts() == ScanQueue.Counts(failed: 1))
  }

  @Test func offlineNeverCountsAgainstAScan() async throws {
    let store = try folder.store()
    for _ in 0..<3 { try await store.queue.accept(.photo()) }
    script { $0.uploadErrors = Array(repeating: BackendError(.offline, "no network"), count: 12) }
    let uploader = uploader(store)
    await uploader.drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 3))
    #expect(clock.slept.prefix(3) == [1, 2, 4])
    #expect(clock.slept.max() == 15)
    let events = await told(uploader)
    #expect(events.filter { $0 == .offline(reason: "no network") }.count == 1)
    #expect(events.filter { $0 == .online }.count == 1)
  }

  @Test func limitPausesEverythingUntilItIsOver() async throws {
    let store = try folder.store()
    for _ in 0..<3 { try await store.queue.accept(.photo()) }
    let until = clock.now + 20
    script { $0.uploadErrors = [BackendError(.limited(for: 20), "limit")] }
    let uploader = uploader(store, concurrency: 1)
    await uploader.drain()
    #expect(clock.slept == [20])
    #expect(done.uploads.count == 4)
    let events = await told(uploader)
    #expect(events.contains(.limited(until: until)) && events.contains(.unlimited))
    #expect(try await store.queue.counts().delivered == 3)
  }

  @Test func limitOutlivesACrash() async throws {
    let store = try folder.store()
    try await store.queue.accept(.photo())
    try await store.queue.setPause(until: clock.now + 9)
    await uploader(store).drain()
    #expect(clock.slept == [9])
    #expect(try await store.queue.counts().delivered == 1)
  }

  @Test func jobThatEndsBadlyIsDoneAgainAsAnotherJobAndBothAreCleanedUp() async throws {
    let store = try folder.store()
    try await store.queue.accept(.photo())
    script { $0.followErrors = [BackendError(.failed(endsJob: true), "dark")] }
    await uploader(store).drain()
    #expect(done.uploads.count == 2 && done.uploads[1] == done.uploads[0] + ".1")
    #expect(Set(done.cleanups) == Set(done.uploads))
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 1))
  }

  @Test func brokenStreamIsFollowedAgainWithoutAnotherUpload() async throws {
    let store = try folder.store()
    try await store.queue.accept(.photo())
    script {
      $0.followErrors = [BackendError(.failed(endsJob: false), "broken"), BackendError(.offline, "gone")]
    }
    await uploader(store).drain()
    #expect(done.uploads.count == 1 && done.follows.count == 3)
  }

  @Test func cleanupIsRetriedThenForgotten() async throws {
    let store = try folder.store()
    try await store.queue.accept(.photo())
    script { $0.cleanupErrors = Array(repeating: BackendError(.failed(endsJob: false), "busy"), count: 9) }
    await uploader(store).drain()
    #expect(done.cleanups.count == 4)
    #expect(clock.slept == [1, 2, 4])
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 1))
  }

  @Test func scanDroppedDuringItsUploadIsNotDelivered() async throws {
    let store = try folder.store()
    let submission = Submission.photo()
    try await store.queue.accept(submission)
    let backend = ScriptedBackend { _ = try? await store.queue.drop(submission.key) }
    await Uploader(store: store, backend: backend, clock: clock).drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts())
    #expect(try await store.library.count() == 0)
    #expect(backend.script.withLock { $0.cleanups.count } == 1)
    #expect(folder.images.isEmpty)
  }

  @Test func scanWithoutItsImageFailsAndTheOthersGoOn() async throws {
    let store = try folder.store()
    let submission = Submission.photo()
    try await store.queue.accept(submission)
    try await store.queue.accept(.photo())
    store.images.remove(named: submission.key.fileName)
    await uploader(store).drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(failed: 1, delivered: 1))
  }

  @Test func runningUploaderSetsOffWithWhatItAccepts() async throws {
    let store = try folder.store()
    let uploader = uploader(store)
    let run = Task { await uploader.run() }
    try await uploader.accept(.photo())
    for await event in uploader.events { if case .cleanedUp = event { break } }
    run.cancel()
    await run.value
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 1))
  }

  /// Another program puts the scan back into the queue, and nothing else wakes the idle uploader.
  @Test(.timeLimit(.minutes(60))) func retryByAnotherProgramWakesAnIdleUploader() async throws {
    let store = try folder.store()
    let visitor = try folder.store(.visitor)
    try await store.queue.accept(.photo())
    script { $0.uploadErrors = [BackendError(.rejected, "too large")] }
    let uploader = uploader(store)
    let run = Task { await uploader.run() }
    for await event in uploader.events {
      if case .failed = event { #expect(try await visitor.queue.retry() == 1) }
      if case .delivered = event { break }
    }
    run.cancel()
    await run.value
    #expect(try await store.queue.counts().delivered == 1)
  }

  /// A retry notifies the scanning program.
  @Test(.timeLimit(.minutes(60))) func retryRings() async throws {
    let store = try folder.store()
    try await store.queue.accept(.photo())
    let scan = try #require(try await store.queue.scans().first)
    try await store.queue.fail(scan, failure: "too large", endingJob: false)
    let (signals, tell) = AsyncStream.makeStream(of: Void.self)
    let listener = QueueSignal(try #require(store.place)) { tell.yield() }
    let second = QueueSignal(try #require(store.place)) {}
    #expect(listener != nil && second == nil)
    #expect(try await folder.store(.visitor).queue.retry() == 1)
    for await _ in signals { break }
    withExtendedLifetime(listener) {}
  }

  @Test func cancelledUploaderLeavesTheScanAsItWas() async throws {
    let store = try folder.store()
    let talaria = try TalariaFixture()
    talaria.server.faults.always(.silence, at: .stream)
    try await store.queue.accept(.photo())
    let uploader = Uploader(store: store, backend: talaria.client, clock: clock)
    let run = Task { await uploader.run() }
    for await event in uploader.events { if case .uploaded = event { break } }
    run.cancel()
    await run.value
    let scan = try #require(try await store.queue.scans().first)
    #expect(scan.state == .uploaded && scan.attempts == 0)
  }

  @Test func shelfGoesEndToEndThroughABackendInTrouble() async throws {
    let store = try folder.store()
    let talaria = try TalariaFixture()
    let faults = talaria.server.faults
    faults.add(.reset, .status(503), .tooManyRequests("1"), .drop, to: .upload)
    faults.add(.halfEvent, .reset, .duplicateEvents, .outOfOrderEvents, .wrongContentType, to: .stream)
    faults.add(.drop, .status(500), .reset, to: .cleanup)
    for _ in 0..<12 { try await store.queue.accept(.photo()) }
    await Uploader(store: store, backend: talaria.client, clock: talaria.clock).drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 12))
    #expect(try await store.library.count() == 2)
    #expect(folder.images.isEmpty)
    #expect(talaria.server.statistics.openJobs == 0)
  }

  /// Returns all events of the uploader so far.
  private func told(_ uploader: Uploader) async -> [UploaderEvent] {
    uploader.tell.finish()
    return await uploader.events.reduce(into: []) { $0.append($1) }
  }
}

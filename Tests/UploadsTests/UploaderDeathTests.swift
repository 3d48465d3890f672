import System
import Testing

@testable import Library
@testable import Uploads

/// Photographs that crash the process that reads them.
@Suite struct UploaderDeathTests {
  let folder = try! TemporaryFolder()
  let backend = ScriptedBackend()

  private func uploader(_ store: Store) -> Uploader {
    Uploader(store: store, backend: backend, clock: InstantClock(), concurrency: 4)
  }

  private func script(_ change: (inout ScriptedBackend.Script) -> Void) { backend.script.withLock(change) }
  private var done: ScriptedBackend.Script { backend.script.withLock { $0 } }

  @Test func twoDeathsSetAScanAsideAndOneDoesNot() async throws {
    let store = try folder.store()
    try await store.queue.accept(.photo())
    script { $0.uploadErrors = [BackendError(.died, "It died.")] }
    await uploader(store).drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 1))
    try await store.queue.accept(.photo())
    script { $0.uploadErrors = [BackendError(.died, "It died."), BackendError(.died, "It died.")] }
    await uploader(store).drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(failed: 1, delivered: 1))
    #expect(done.uploads.count == 4 && folder.images.count == 1)
    let failure = try #require(try await store.queue.scans().first?.failure)
    #expect(failure.hasPrefix("It died. The scan is set aside because this happened 2 times"))
  }

  @Test func deathsAreCountedAcrossRestartsAndForgottenByRetry() async throws {
    let key = try await {
      let store = try folder.store()
      let submission = Submission.photo()
      try await store.queue.accept(submission)
      let scan = try #require(try await store.queue.scans().first)
      #expect(try await !store.queue.noteDeath(over: scan, failure: "once", lastFailure: "twice"))
      #expect(try await store.queue.scans().first?.failure == "once")
      return submission.key
    }()
    let store = try folder.store()
    script { $0.uploadErrors = [BackendError(.died, "It died.")] }
    await uploader(store).drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(failed: 1))
    #expect(try await store.queue.retry([key]) == 1)
    script { $0.uploadErrors = [BackendError(.died, "It died.")] }
    await uploader(store).drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 1))
  }
}

import Foundation
import Glibc
import System
import Testing
import Uploads

@testable import Library
@testable import ScanStation

/// The work on a station's queue: on this machine, or with a backend.
@Suite final class QueueWorkTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "work-\(UUID().uuidString)")
    .path
  private let clock = SteppedClock()
  private let journal = ScanJournal(keepsCut: true)
  private let store: Store

  init() throws { store = try Store(directory: folder) }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func recognition(_ settings: WaySettings = WaySettings()) -> Recognition {
    Recognition(
      settings, remote: ScriptedOutage(), reader: ScanFixture.reader(), clock: clock, journal: journal)
  }

  private func work(_ recognition: Recognition) -> QueueWork {
    QueueWork(store: store, recognition: recognition, clock: clock)
  }

  /// The events of the journal until now.
  private func told() async -> [String] {
    journal.finish()
    var told: [String] = []
    for await event in journal.events { told.append("\(event)") }
    return told
  }

  @Test func withoutAWayToTheBackendOneScanAtATimeIsReadHere() {
    let here = work(recognition())
    let there = work(recognition(WaySettings(first: .backend)))
    #expect(here.concurrency == 1 && there.concurrency == 2)
    // Only a station with a backend waits for the backend's cleanups.
    let counts = ScanQueue.Counts(failed: 1, delivered: 1, cleanups: 1)
    #expect(here.isDone(counts) && !there.isDone(counts))
    for counts in [ScanQueue.Counts(pending: 1), ScanQueue.Counts(uploaded: 1)] {
      #expect(!here.isDone(counts) && !there.isDone(counts))
    }
    #expect(there.isDone(ScanQueue.Counts(failed: 1, delivered: 1)))
  }

  @Test func aPhotoInHandIsReadThoughItsFileIsGone() async throws {
    let work = work(recognition())
    let submission = Submission(content: .image([0xFF], mediaType: "image/jpeg"))
    try await store.queue.accept(submission)
    work.hold(submission)
    unlink("\(folder)/images/\(submission.key.fileName)")
    let (events, tell) = AsyncStream.makeStream(of: UploaderEvent.self)
    let run = Task { await work.run { tell.yield($0) } }
    for await event in events {
      guard case .delivered(submission.key, let books) = event else {
        Issue.record("\(event)")
        break
      }
      #expect(books.map(\.title) == ["Dune", "Emma"])
      break
    }
    run.cancel()
    await run.value
  }

  /// An event of a scan that has left the queue.
  enum End: CaseIterable { case delivered, failed, dropped }

  @Test(arguments: End.allCases) func aScanThatHasLeftTheQueueIsForgotten(end: End) async {
    let recognition = recognition(WaySettings(first: .backend))
    let (work, key) = (work(recognition), UUID())
    let refused = BackendError(.rejected, "no")
    #expect(recognition.routes.next(after: .backend, for: key, because: refused, at: 0) == .hybrid)
    journal.pressed(key, at: MonotonicTime(nanoseconds: 1_000_000_000))
    journal.note(.began(key, .hybrid))
    let now = MonotonicTime(nanoseconds: 3_500_000_000)
    switch end {
    case .delivered: work.tell(.delivered(key, []), at: now)
    case .failed: work.tell(.failed(key, reason: "why"), at: now)
    case .dropped: work.tell(.dropped(key), at: now)
    }
    #expect(recognition.routes.way(of: key, at: 0) == .backend)
    let left = journal.close(key)
    #expect(left.pressed == nil && left.way == nil)
    let events: [ScanEvent] =
      switch end {
      case .delivered:
        [.delivered(key, [], by: .hybrid, time: .milliseconds(2500))]
      case .failed: [.failed(key, reason: "why")]
      case .dropped: []
      }
    #expect(await told() == ([.began(key, .hybrid)] + events).map { "\($0)" })
  }

  @Test func theOtherEventsAreTold() async throws {
    let (work, key, date) = (work(recognition()), UUID(), clock.now)
    let progress = JobProgress.working(stage: "reading", fraction: 0.5)
    work.tell(.uploading(key), at: nil)
    work.tell(.progress(key, progress), at: nil)
    work.tell(.postponed(key, until: date, reason: "why"), at: nil)
    work.tell(.limited(until: date), at: nil)
    work.tell(.unlimited, at: nil)
    work.tell(.storageTrouble(reason: "a"), at: nil)
    // A refused photo is an error of its caller, and no trouble with the library as long as that is in place.
    work.tell(DeliveryError(.diskFull, "accept", reason: "full", remedy: "free some"))
    try FileManager.default.removeItem(atPath: folder)
    work.tell(.storageTrouble(reason: "b"), at: nil)
    work.tell(DeliveryError(.storage, "accept", reason: "gone", remedy: "none"))
    let expected: [ScanEvent] = [
      .progress(key, progress), .postponed(key, until: date, reason: "why"), .limited(until: date),
      .unlimited, .storageTrouble(reason: "a"), .libraryGone(reason: "b"),
    ]
    #expect(await told() == expected.map { "\($0)" })
  }
}

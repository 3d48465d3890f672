import BookScan
import Foundation
import GRDB
import Glibc
import Imagery
import System
import Testing
import Uploads

@testable import Library
@testable import ScanStation

/// The reading of a queue on this machine.
@Suite final class QueueReaderTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "queue-\(UUID().uuidString)")
    .path
  private let clock = SteppedClock()
  private let journal = ScanJournal(keepsCut: true)
  /// The errors that the next readings throw, in order.
  private let errors = Locked<[ScanError]>([])
  /// The number of readings.
  private let reads = Locked(0)

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func store(_ access: Store.Access = .owner) throws -> Store {
    try Store(directory: folder, access: access)
  }

  private func reader(_ store: Store) -> QueueReader {
    let reader = PhotoReader(name: "scripted") { [errors, reads] bytes in
      reads.withLock { $0 += 1 }
      let error = errors.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      if let error { throw error }
      return ScanFixture.reading([("Dune", 0.9), ("Emma", 0.9)], PixelSize(width: 1000, height: 800))
    }
    return QueueReader(store: store, reader: reader, journal: journal, clock: clock)
  }

  private func photo(_ byte: UInt8 = 0) -> Submission {
    Submission(content: .image([0xFF, 0xD8, 0xFF, byte], mediaType: "image/jpeg"))
  }

  private func fail(_ error: ScanError, times: Int) {
    errors.withLock { $0 = Array(repeating: error, count: times) }
  }

  @Test func theBooksOfEveryScanAreInTheLibraryAndNoImageIsLeft() async throws {
    let store = try store()
    for _ in 0..<5 { try await store.queue.accept(photo()) }
    await reader(store).run(untilDrained: true)
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 5))
    #expect(try await store.library.books().map(\.title).sorted() == ["Dune", "Emma"])
    #expect(journal.copies.map(\.sightings) == [5, 5])
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/images").isEmpty)
  }

  /// A photo in memory is not read back from disk, nor taken for another scan.
  @Test func aPhotoInHandNeedsNoFile() async throws {
    let store = try store()
    let (first, held) = (photo(1), photo(2))
    let reader = reader(store)
    for submission in [first, held] { try await store.queue.accept(submission) }
    reader.hold(held)
    for submission in [first, held] { unlink("\(folder)/images/\(submission.key.fileName)") }
    await reader.run(untilDrained: true)
    #expect(try await store.queue.counts() == ScanQueue.Counts(failed: 1, delivered: 1))
    #expect(try await store.queue.scans().map(\.key) == [first.key])
  }

  @Test func twoDeathsSetAScanAsideAndOneDoesNot() async throws {
    let store = try store()
    try await store.queue.accept(photo())
    fail(.ended(workers: 1, reason: "it died"), times: 1)
    await reader(store).run(untilDrained: true)
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 1))
    try await store.queue.accept(photo())
    fail(.ended(workers: 1, reason: "it died"), times: 2)
    var told: [String] = []
    await reader(store).run(untilDrained: true) { told.append(String("\($0)".prefix { $0 != "(" })) }
    #expect(told == ["postponed", "failed"])
    #expect(try await store.queue.counts() == ScanQueue.Counts(failed: 1, delivered: 1))
    #expect(reads.withLock { $0 } == 4)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/images").count == 1)
    let failure = try #require(try await store.queue.scans().first?.failure)
    #expect(
      failure.hasPrefix(
        "The recogniser's process ended while reading the scan (it died). The scan is set aside because this happened 2 times"
      ))
  }

  @Test func deathsAreCountedAcrossRestartsAndForgottenByRetry() async throws {
    let key = try await {
      let store = try self.store()
      let submission = photo()
      try await store.queue.accept(submission)
      let scan = try #require(try await store.queue.scans().first)
      #expect(try await !store.queue.noteDeath(over: scan, failure: "once", lastFailure: "twice"))
      #expect(try await store.queue.scans().first?.failure == "once")
      return submission.key
    }()
    let store = try self.store()
    fail(.ended(workers: 1, reason: "it died"), times: 1)
    await reader(store).run(untilDrained: true)
    #expect(try await store.queue.counts() == ScanQueue.Counts(failed: 1))
    #expect(try await store.queue.retry([key]) == 1)
    fail(.ended(workers: 1, reason: "it died"), times: 1)
    await reader(store).run(untilDrained: true)
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 1))
  }

  /// The scan is not to blame if no process can be started: it is tried again after 1, 2 and 4 s.
  @Test func aRecogniserThatIsAwayIsTriedAgain() async throws {
    let store = try store()
    let away = ScanError.unavailable(what: "it", reason: "no memory", remedy: "wait")
    let start = clock.now
    try await store.queue.accept(photo())
    fail(away, times: 3)
    await reader(store).run(untilDrained: true)
    #expect(clock.uptime == 7 && reads.withLock { $0 } == 4)
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 1))
    journal.finish()
    var waits: [TimeInterval] = []
    for await event in journal.events {
      if case .postponed(_, let until, _) = event { waits.append(until.timeIntervalSince(start)) }
    }
    #expect(waits == [1, 3, 7])
    try await store.queue.accept(photo())
    fail(away, times: 4)
    await reader(store).run(untilDrained: true)
    #expect(try await store.queue.counts() == ScanQueue.Counts(failed: 1, delivered: 1))
    #expect(try await store.queue.scans().first?.failure == "After 4 tries: \(away)")
  }

  /// The reader is cancelled while it waits for the recogniser: the scan is not given up.
  @Test func aCancelledWaitLeavesTheScanInTheQueue() async throws {
    let store = try store()
    clock.hold()
    try await store.queue.accept(photo())
    fail(.unavailable(what: "it", reason: "no memory", remedy: "wait"), times: 1)
    let run = Task { [reader = reader(store)] in await reader.run() }
    for await event in journal.events { if case .postponed = event { break } }
    run.cancel()
    await run.value
    #expect(try await store.queue.counts() == ScanQueue.Counts(pending: 1))
  }

  @Test func aPhotoThatCannotBeReadIsGivenUpAndTheOthersGoOn() async throws {
    let store = try store()
    for _ in 0..<2 { try await store.queue.accept(photo()) }
    fail(.image(.unrecognised), times: 1)
    await reader(store).run(untilDrained: true)
    #expect(try await store.queue.counts() == ScanQueue.Counts(failed: 1, delivered: 1))
    #expect(
      try await store.queue.scans().first?.failure
        == "Cannot read the scan: \(ScanError.image(.unrecognised))")
  }

  /// A link in place of the image is never followed. The scan is kept, because the file may be restored.
  @Test func aScanWhoseImageCannotBeReadIsKept() async throws {
    let store = try store()
    let submission = photo()
    try await store.queue.accept(submission)
    let image = "\(folder)/images/\(submission.key.fileName)"
    try FileManager.default.moveItem(atPath: image, toPath: "\(folder)/kept")
    symlink("/dev/null", image)
    await reader(store).run(untilDrained: true)
    #expect(try await store.queue.counts() == ScanQueue.Counts(failed: 1) && reads.withLock { $0 } == 0)
    unlink(image)
    try FileManager.default.moveItem(atPath: "\(folder)/kept", toPath: image)
    #expect(try await store.queue.retry() == 1)
    await reader(store).run(untilDrained: true)
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 1))
  }

  /// A backend that was used earlier has a job for one scan, could not be reached for another, and accepts no scans for an hour.
  @Test func whatABackendWasToDoIsReadHere() async throws {
    let store = try store()
    for _ in 0..<2 { try await store.queue.accept(photo()) }
    let scans = try await store.queue.scans()
    try await store.queue.markUploaded(
      scans[0], job: QueuedScan.Job(id: "job", streamURL: "https://talaria/job"))
    try await store.queue.postpone(
      scans[1], until: clock.now + 3600, failure: "offline", counting: false, endingJob: false)
    try await store.queue.setPause(until: clock.now + 3600)
    await reader(store).run(untilDrained: true)
    // The backend must still clean up its job when it is used again.
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 2, cleanups: 1))
    #expect(clock.uptime == 0)
  }

  /// A scan that is given up here has no use for its job.
  @Test func aJobEndsWithAScanThatIsGivenUp() async throws {
    let store = try store()
    try await store.queue.accept(photo())
    let scan = try #require(try await store.queue.scans().first)
    try await store.queue.markUploaded(scan, job: QueuedScan.Job(id: "job", streamURL: "https://talaria/job"))
    fail(.image(.unrecognised), times: 1)
    await reader(store).run(untilDrained: true)
    #expect(try await store.queue.counts() == ScanQueue.Counts(failed: 1, cleanups: 1))
    #expect(try await store.queue.scans().first?.job == nil)
  }

  /// A person drops the scan while it is being read, or before.
  @Test func aScanThatWasDroppedIsNeitherDeliveredNorFailed() async throws {
    let store = try store()
    let submission = photo()
    try await store.queue.accept(submission)
    let scan = try #require(try await store.queue.scans().first)
    #expect(try await store.queue.drop(scan.key))
    let reader = reader(store)
    for part in [QueueReader.Part.unread, .empty, .failed(ScanError.image(.unrecognised))] {
      #expect(try await reader.finish(scan.key, part) == .dropped(scan.key))
    }
    #expect(try await reader.deliver(scan, []) == .dropped(scan.key))
    #expect(try await store.queue.counts() == ScanQueue.Counts())
  }

  /// Waiting does not mend a damaged library: the scan is set aside with its image, and the next one is read.
  @Test func aScanForADamagedBookIsGivenUp() async throws {
    let store = try store()
    try await store.queue.accept(photo())
    await reader(store).run(untilDrained: true)
    try await store.write("damage a book") { try $0.execute(sql: "UPDATE book SET spineConfidence = 7") }
    for _ in 0..<2 { try await store.queue.accept(photo()) }
    await reader(store).run(untilDrained: true)
    #expect(try await store.queue.counts() == ScanQueue.Counts(failed: 2, delivered: 1))
    #expect(clock.uptime == 0)
  }

  /// A scan whose books could not be written to the library is neither read nor counted again.
  @Test func aScanIsReadOnceThoughTheLibraryCannotBeWritten() async throws {
    let store = try store()
    let submission = photo()
    try await store.queue.accept(submission)
    let reading = ScanFixture.reading([("Dune", 0.9)], PixelSize(width: 1000, height: 800))
    let findings = journal.register(reading, of: submission.key)
    await reader(store).run(untilDrained: true)
    #expect(reads.withLock { $0 } == 0 && journal.copies.map(\.sightings) == [1])
    let books = try await store.library.books()
    #expect(books.map(\.title) == findings.map(\.book.title))
  }

  @Test func withoutARecogniserAPhotoIsGivenUp() async throws {
    let store = try store()
    try await store.queue.accept(photo())
    // Nothing is left of the second line when its invisible characters are removed.
    let text = Submission(content: .text(["Dune\tFrank Herbert\t", "\u{202E}\t\t"]))
    try await store.queue.accept(text)
    await QueueReader(store: store, reader: nil, journal: journal, clock: clock).run(untilDrained: true)
    #expect(try await store.queue.counts() == ScanQueue.Counts(failed: 1, delivered: 1))
    #expect(try await store.library.books().map(\.author) == ["Frank Herbert"])
    #expect(try await store.queue.receipt(of: text.key)?.books == 1)
  }

  /// The same text in another scan is another finding; the same scan read again gives the same.
  @Test func theFindingsOfATextAreNamedByItsScan() {
    let (scan, other, lines) = (UUID(), UUID(), ["Dune\tFrank Herbert\t", "Emma\t\t"])
    let ids = [scan, scan, other].map { QueueReader.findings(in: lines, of: $0).map(\.id) }
    #expect(ids[0] == ids[1] && Set(ids[0] + ids[2]).count == 4)
  }

  /// Only the retry by another program wakes the waiting reader.
  @Test(.timeLimit(.minutes(60))) func retryByAnotherProgramWakesIt() async throws {
    let store = try store()
    let visitor = try self.store(.visitor)
    try await store.queue.accept(photo())
    fail(.image(.unrecognised), times: 1)
    let (events, tell) = AsyncStream.makeStream(of: UploaderEvent.self)
    let run = Task { [reader = reader(store)] in await reader.run { tell.yield($0) } }
    for await event in events {
      if case .failed = event { #expect(try await visitor.queue.retry() == 1) }
      if case .delivered = event { break }
    }
    run.cancel()
    await run.value
    #expect(try await store.queue.counts().delivered == 1)
  }

  /// Trouble with the library is reported once in 15 s.
  @Test func aLibraryThatIsGoneIsAskedAgainLater() async throws {
    let store = try store()
    try await store.queue.accept(photo())
    try FileManager.default.removeItem(atPath: folder)
    let times = Locked<[TimeInterval]>([])
    let run = Task { [clock, reader = reader(store)] in
      await reader.run { event in
        guard case .storageTrouble = event else { return }
        let count = times.withLock { times in
          times.append(clock.uptime)
          return times.count
        }
        if count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await run.value
    #expect(times.withLock { $0 } == [0, 15, 30])
  }

  @Test func aCancelledReaderEnds() async throws {
    let waiting = Task { [reader = reader(try store())] in await reader.run() }
    waiting.cancel()
    await waiting.value
  }
}

import Foundation
import GRDB
import Testing

@testable import Library
@testable import Uploads

@Suite struct ScanQueueTests {
  let folder = try! TemporaryFolder()
  let now = Date(timeIntervalSince1970: 1_800_000_000)

  @Test func acceptedScanIsThereAfterReopening() async throws {
    let submission = Submission.photo([1, 2, 3], metadata: ["shelf": "A"])
    do {
      let store = try folder.store()
      #expect(try await store.queue.accept(submission) == .accepted)
    }
    let queue = try folder.store().queue
    let scan = try #require(try await queue.due(at: now, limit: 10).first)
    #expect(scan.state == .pending && scan.attempts == 0 && scan.job == nil)
    #expect(try await queue.submission(of: scan) == submission)
  }

  @Test func textTravelsWithoutAnImage() async throws {
    let queue = try folder.store().queue
    let submission = Submission(content: .text(["DUNE", "", "Frank Herbert"]), capturedAt: now)
    try await queue.accept(submission)
    let scan = try #require(try await queue.scans().first)
    #expect(try await queue.submission(of: scan) == submission)
    #expect(folder.images.isEmpty)
  }

  @Test func commitsAreFlushedToTheDisk() async throws {
    let store = try folder.store()
    let (synchronous, journal) = try await store.database.writeWithoutTransaction {
      (try Int.fetchOne($0, sql: "PRAGMA synchronous"), try String.fetchOne($0, sql: "PRAGMA journal_mode"))
    }
    #expect(synchronous == 2)
    #expect(journal == "wal")
  }

  @Test func sameKeyIsOneScan() async throws {
    let store = try folder.store()
    let submission = Submission.photo()
    #expect(try await store.queue.accept(submission) == .accepted)
    #expect(try await store.queue.accept(submission) == .alreadyQueued)
    let scan = try #require(try await store.queue.scans().first)
    try await store.queue.deliver(scan, findings: [Finding(BookFinding(title: "Dune"))], at: now)
    #expect(try await store.queue.accept(submission) == .alreadyDelivered)
    #expect(folder.images.isEmpty)
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 1))
  }

  @Test func deliveringTwiceShelvesOnce() async throws {
    let store = try folder.store()
    try await store.queue.accept(.photo())
    let scan = try #require(try await store.queue.scans().first)
    let finding = BookFinding(title: "Dune")
    #expect(try await store.queue.deliver(scan, findings: [Finding(finding)], at: now)?.count == 1)
    #expect(try await store.queue.deliver(scan, findings: [Finding(finding)], at: now) == nil)
    let book = try #require(try await store.library.books().first)
    #expect(try await store.library.sightings(of: book) == 1)
  }

  @Test func deliveryRemovesTheImageAndSchedulesTheCleanup() async throws {
    let queue = try folder.store().queue
    try await queue.accept(.photo())
    #expect(folder.images.count == 1)
    var scan = try #require(try await queue.scans().first)
    try await queue.markUploaded(scan, job: .init(id: "job-1", streamURL: "https://t/s"))
    scan = try #require(try await queue.scans().first)
    #expect(scan.state == .uploaded && scan.job?.id == "job-1")
    try await queue.deliver(scan, findings: [], at: now)
    #expect(folder.images.isEmpty)
    #expect(try await queue.cleanupsDue(at: now, limit: 5) == [.init(jobID: "job-1", attempts: 0)])
    try await queue.postponeCleanup(of: "job-1", until: now + 4, counting: true)
    #expect(try await queue.cleanupsDue(at: now, limit: 5).isEmpty)
    #expect(try await queue.nextDue(after: now) == now + 4)
    try await queue.finishCleanup(of: "job-1")
    #expect(try await queue.counts().isDrained)
  }

  @Test func imagesArePrivate() async throws {
    let queue = try folder.store().queue
    try await queue.accept(.photo())
    #expect(try folder.mode(of: "store") == 0o700)
    #expect(try folder.mode(of: "store/images") == 0o700)
    #expect(try folder.mode(of: "store/images/\(#require(folder.images.first))") == 0o600)
  }

  @Test func imagesWithoutAScanAreRemovedOnOpening() async throws {
    do { _ = try await folder.store().queue.accept(.photo()) }
    let orphan = "\(folder.path)/store/images/\(UUID().uuidString.lowercased())"
    try Data([1]).write(to: URL(filePath: orphan))
    _ = try folder.store()
    #expect(folder.images.count == 1)
    #expect(!FileManager.default.fileExists(atPath: orphan))
  }

  @Test func droppingRemovesTheImage() async throws {
    let queue = try folder.store().queue
    let submission = Submission.photo()
    try await queue.accept(submission)
    #expect(try await queue.drop(submission.key))
    #expect(try await !queue.drop(submission.key))
    #expect(folder.images.isEmpty)
  }

  @Test func postponedScanComesBackInTime() async throws {
    let queue = try folder.store().queue
    try await queue.accept(.photo())
    let scan = try #require(try await queue.scans().first)
    try await queue.postpone(scan, until: now + 2, failure: "busy", counting: true, endingJob: false)
    #expect(try await queue.due(at: now, limit: 1).isEmpty)
    #expect(try await queue.nextDue(after: now) == now + 2)
    let back = try #require(try await queue.due(at: now + 2, limit: 1).first)
    #expect(back.attempts == 1 && back.failure == "busy" && back.idempotencyKey == scan.idempotencyKey)
  }

  @Test func endedJobMakesTheNextTryAnotherJob() async throws {
    let queue = try folder.store().queue
    try await queue.accept(.photo())
    var scan = try #require(try await queue.scans().first)
    try await queue.markUploaded(scan, job: .init(id: "a", streamURL: "u"))
    scan = try #require(try await queue.scans().first)
    try await queue.postpone(scan, until: now, failure: "error", counting: true, endingJob: true)
    let next = try #require(try await queue.scans().first)
    #expect(next.state == .pending && next.job == nil && next.idempotencyKey == scan.idempotencyKey + ".1")
    #expect(try await queue.cleanupsDue(at: now, limit: 1).map(\.jobID) == ["a"])
  }

  @Test func failedScanWaitsForRetryAndKeepsItsImage() async throws {
    let queue = try folder.store().queue
    let submission = Submission.photo()
    try await queue.accept(submission)
    let scan = try #require(try await queue.scans().first)
    try await queue.fail(scan, failure: "too large", endingJob: false)
    #expect(try await queue.due(at: .distantFuture, limit: 1).isEmpty)
    #expect(folder.images.count == 1)
    #expect(try await queue.retry([UUID()]) == 0)
    #expect(try await queue.retry([submission.key]) == 1)
    #expect(try await queue.due(at: now, limit: 1).first?.attempts == 0)
  }

  @Test func onlyOneOwnerAndAnyVisitors() async throws {
    let owner = try folder.store()
    let error = #expect(throws: DeliveryError.self) { try folder.store() }
    #expect(error?.kind == .inUse)
    let visitor = try folder.store(.visitor)
    #expect(try await visitor.queue.counts() == ScanQueue.Counts())
    await #expect(throws: DeliveryError.self) { try await visitor.queue.accept(.photo()) }
    withExtendedLifetime(owner) {}
  }

  @Test func pauseOutlivesTheProcess() async throws {
    do { try await folder.store().queue.setPause(until: now + 20) }
    let queue = try folder.store().queue
    #expect(try await queue.pause(at: now) == now + 20)
    #expect(try await queue.pause(at: now + 20) == nil)
  }

  @Test(arguments: [
    Submission(content: .image([], mediaType: "image/jpeg")),
    Submission(content: .image([1], mediaType: "image/jpeg\r\nX: y")),
    Submission(content: .text([])),
    Submission(content: .text([String(repeating: "x", count: 2 << 20)])),
    Submission(content: .text(["a"]), metadata: ["a\"b": ""]),
    Submission(content: .text(["a"]), metadata: ["a": String(repeating: "x", count: 2000)]),
  ])
  func unusableSubmissionIsRefused(submission: Submission) async throws {
    let queue = try folder.store().queue
    let error = await #expect(throws: DeliveryError.self) { try await queue.accept(submission) }
    #expect(error?.kind == .badInput)
    #expect(try await queue.counts() == ScanQueue.Counts())
  }

  /// The error names the reserve that is kept free. "No space left" would be wrong for a disk with free space.
  @Test func spaceThatIsKeptFreeIsNamed() throws {
    let images = try ImageFolder("\(folder.path)/images", reserve: 1 << 60)
    let error = #expect(throws: DeliveryError.self) { try images.requireRoom(for: 1000) }
    #expect(error?.kind == .diskFull)
    let text = try #require(error?.description)
    #expect(
      text.contains(
        /: [0-9]+\.[0-9] MB are free on the disk of .*\/images, and 1152921504606\.9 MB are kept free/))
    #expect(text.contains(/; free [0-9]+\.[0-9] MB and try again\.$/))
  }

  @Test func libraryThatIsGoneIsSaidAndNothingIsWrittenToIt() async throws {
    let store = try folder.store()
    try await store.queue.accept(.photo())
    let scan = try #require(try await store.queue.scans().first)
    #expect(store.isInPlace)
    try FileManager.default.moveItem(atPath: "\(folder.path)/store", toPath: "\(folder.path)/away")
    #expect(!store.isInPlace)
    for body in [
      { try await store.queue.accept(.photo()) },
      { try await store.queue.deliver(scan, findings: [Finding(BookFinding(title: "Dune"))], at: Date()) },
      { try await store.library.add(BookFinding(title: "Dune")) },
    ] as [@Sendable () async throws -> Any?] {
      let error = await #expect(throws: DeliveryError.self) { _ = try await body() }
      #expect(error?.kind == .storage && error?.reason.contains("store is gone") == true)
    }
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/store"))
    // A new folder at the same path is another folder than the one that the first store opened.
    let other = try Store(directory: "\(folder.path)/store")
    #expect(other.isInPlace)
    #expect(!store.isInPlace)
  }

  @Test func imageFolderThatIsGoneIsMadeAgain() async throws {
    let store = try folder.store()
    try FileManager.default.removeItem(atPath: "\(folder.path)/store/images")
    try await store.queue.accept(.photo())
    #expect(folder.images.count == 1)
    #expect(try folder.mode(of: "store/images") == 0o700)
  }

  @Test func fullDiskIsSaidAndNothingIsAccepted() async throws {
    let store = try folder.store()
    let limit = try await store.database.writeWithoutTransaction {
      try Int.fetchOne(
        $0, sql: "PRAGMA max_page_count = \(try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 1)")
    }
    #expect(limit != nil)
    let long = Submission(content: .text([String(repeating: "x", count: 100_000)]))
    let error = await #expect(throws: DeliveryError.self) { try await store.queue.accept(long) }
    #expect(error?.kind == .diskFull)
    #expect(error?.description.contains("free some space") == true)
    #expect(try await store.queue.counts() == ScanQueue.Counts())
  }
}

import BookScan
import FoundationEssentials
package import Library
import Log
import System
package import Uploads

/// Reads the scans of a queue on this machine, one at a time, in the order of their due times, and adds their books to the library.
///
/// Everything that must outlive the process is in the queue. The process may be killed at any moment; the next one continues with the queue.
package final class QueueReader: Sendable {
  private let store: Store
  private let reader: PhotoReader?
  private let journal: ScanJournal
  private let clock: any DeliveryClock
  private let retry: RetryPolicy
  private let changes = ChangeCounter()
  /// The latest submission, so that it is not read back from disk.
  private let inHand = Locked<Submission?>(nil)

  /// - Parameter reader: nil if this machine has no recogniser; photos are then given up.
  package init(
    store: Store, reader: PhotoReader?, journal: ScanJournal, clock: any DeliveryClock = WallClock(),
    retry: RetryPolicy = RetryPolicy()
  ) {
    self.store = store
    self.reader = reader
    self.journal = journal
    self.clock = clock
    self.retry = retry
  }

  /// Makes the reader look at the queue again.
  package func wake() { changes.increment() }

  /// Keeps a submission in memory until it is read, or until the next one.
  func hold(_ submission: Submission) { inHand.withLock { $0 = submission } }

  /// Reads until the task is cancelled. Also wakes when another program retries scans. Pauses after trouble with the library.
  /// - Parameters:
  ///   - untilDrained: whether to end when no scan is left. Scans that were given up do not count.
  ///   - take: receives what happens, in order.
  package func run(
    untilDrained: Bool = false, _ take: (UploaderEvent) async -> Void = { _ in }
  ) async {
    let listener = store.place.flatMap { place in
      QueueSignal(place) { [changes] in changes.increment() }
    }
    while !Task.isCancelled {
      let seen = changes.count
      do throws(DeliveryError) {
        // Also read scans that were postponed for a backend: this machine need not wait.
        if let scan = try await store.queue.due(at: .distantFuture, limit: 1).first {
          await take(logged(try await read(scan)))
        } else if untilDrained {
          break
        } else {
          await changes.wait(after: seen)
        }
      } catch  where error.kind != .cancelled {
        await take(logged(.storageTrouble(reason: error.description)))
        try? await clock.sleep(for: retry.offlineInterval)
      } catch {}
    }
    withExtendedLifetime(listener) {}
  }

  private func logged(_ event: UploaderEvent) -> UploaderEvent {
    Log.queue.info(event.summary)
    return event
  }
}

// MARK: - One scan

extension QueueReader {
  /// The state of a scan that a station with a backend leaves to this machine.
  enum Part {
    /// The scan must still be read.
    case unread
    /// The scan cannot be read, because of this error.
    case failed(any Error)
    /// The scan was read and has no text.
    case empty
  }

  /// Finishes a scan.
  /// - Throws: an error if the queue or the library cannot be read or written; the scan is then unchanged.
  func finish(_ key: UUID, _ part: Part) async throws(DeliveryError) -> UploaderEvent {
    guard let scan = try await store.queue.scan(key) else { return .dropped(key) }
    switch part {
    case .unread: return try await read(scan)
    case .failed(let error): return try await note(error, over: scan)
    case .empty: return try await deliver(scan, [])
    }
  }

  private func read(_ scan: QueuedScan) async throws(DeliveryError) -> UploaderEvent {
    journal.note(.began(scan.key, .local))
    // The scan was read before, but the library could not be written.
    if let known = journal.findings(of: scan.key) { return try await deliver(scan, known) }
    let content: Submission.Content
    do { content = try await self.content(of: scan) } catch {
      return try await giveUp(scan, error.description)
    }
    switch content {
    case .text(let lines): return try await deliver(scan, Self.findings(in: lines, of: scan.key))
    case .image(let bytes, _):
      guard let reader else {
        return try await giveUp(
          scan,
          "Cannot read the scan: this machine has no recogniser; run `swiftwing models`, "
            + "or name a backend with --server or SWIFTWING_TALARIA_URL.")
      }
      let reading: PhotoReader.Reading
      do { reading = try await photo(bytes, of: scan.key, by: reader) } catch {
        return try await note(error, over: scan)
      }
      return try await deliver(scan, journal.register(reading, of: scan.key))
    }
  }

  private func content(of scan: QueuedScan) async throws(DeliveryError) -> Submission.Content {
    let held = inHand.withLock { $0?.key == scan.key ? $0.take() : nil }
    if let held { return held.content }
    return try await store.queue.submission(of: scan).content
  }

  /// Reads a photo. If no recogniser can be started, for which the photo is not to blame, tries again after 1, 2 and 4 s.
  func photo(
    _ bytes: [UInt8], of key: UUID, by reader: PhotoReader
  ) async throws -> PhotoReader.Reading {
    for delay in retry.delays {
      do { return try await reader.read(bytes) } catch let error as ScanError where error.isUnavailability {
        journal.note(.postponed(key, until: clock.now + delay, reason: error.description))
        try await clock.sleep(for: delay)
      }
    }
    return try await reader.read(bytes)
  }

  /// The books of a text that was read elsewhere.
  static func findings(in lines: [String], of scan: UUID) -> [Finding] {
    let books = SpineLines.parse(lines.joined(separator: "\n")).map {
      BookFinding(isbn: $0.isbn, title: $0.title, author: $0.author ?? "")
    }.filter { $0.normalized() != nil }
    return books.enumerated().map { number, book in
      Finding(id: .named("\(scan.uuidString)/\(number)"), book)
    }
  }

  func deliver(
    _ scan: QueuedScan, _ findings: [Finding]
  ) async throws(DeliveryError) -> UploaderEvent {
    do throws(DeliveryError) {
      let books = try await store.queue.deliver(scan, findings: findings, at: clock.now)
      return books.map { .delivered(scan.key, $0) } ?? .dropped(scan.key)
    } catch  where error.kind == .damaged {
      // Waiting does not help, and other scans may be unaffected, so give up on this scan.
      return try await giveUp(scan, error.description)
    }
  }

  /// Notes why a scan cannot be read. A scan that ended its process is tried once more.
  private func note(_ error: any Error, over scan: QueuedScan) async throws(DeliveryError) -> UploaderEvent {
    switch error {
    case ScanError.ended(_, let reason):
      let failure = "The recogniser's process ended while reading the scan (\(reason))."
      let last =
        "\(failure) The scan is set aside because this happened \(ScanQueue.deathLimit) times; drop it, or take another photo."
      let isLast = try await store.queue.noteDeath(over: scan, failure: failure, lastFailure: last)
      return isLast
        ? .failed(scan.key, reason: last) : .postponed(scan.key, until: clock.now, reason: failure)
    case let error as ScanError where error.isUnavailability:
      return try await giveUp(scan, "After \(retry.delays.count + 1) tries: \(error)")
    default: return try await giveUp(scan, "Cannot read the scan: \(error)")
    }
  }

  private func giveUp(_ scan: QueuedScan, _ reason: String) async throws(DeliveryError) -> UploaderEvent {
    try await store.queue.fail(scan, failure: reason, endingJob: true)
    return .failed(scan.key, reason: reason)
  }
}

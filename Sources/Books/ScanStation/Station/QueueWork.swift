import FoundationEssentials
import Library
import System
import Uploads

/// The work on the queue of a station: its scans are read on this machine, or an uploader takes them to the backend. Sends the station's events
/// about this work, and forgets the data of scans that have left the queue.
final class QueueWork: Sendable {
  private let store: Store
  private let recognition: Recognition
  private let reader: QueueReader
  /// The uploader to the backend. Nil if all scans are read on this machine.
  private let uploader: Uploader?
  private let isGone = Locked(false)

  init(store: Store, recognition: Recognition, clock: any DeliveryClock) {
    self.store = store
    self.recognition = recognition
    let reader = QueueReader(
      store: store, reader: recognition.reader, journal: recognition.journal, clock: clock)
    self.reader = reader
    guard let remote = recognition.remote, recognition.ways.contains(where: { $0 != .local }) else {
      uploader = nil
      return
    }
    let news = LoggedEvents.makeStream()
    uploader = Uploader(
      store: store, backend: BackendWays(remote, recognition, here: reader, tell: news.tell), clock: clock,
      concurrency: 2, news: news)
  }

  /// The number of scans that are processed at a time: two with a backend, otherwise one, so that an interrupted and continued run gives the same
  /// results in the same order.
  var concurrency: Int { uploader == nil ? 1 : 2 }

  /// Works until the task is cancelled.
  /// - Parameter take: receives what happens, in order.
  func run(_ take: @escaping @Sendable (UploaderEvent) async -> Void) async {
    guard let uploader else { return await reader.run(take) }
    let listening = Task { for await event in uploader.events { await take(event) } }
    await uploader.run()
    listening.cancel()
    await listening.value
  }

  /// Makes the reader or the uploader look at the queue again.
  func wake() { if let uploader { uploader.wake() } else { reader.wake() } }

  /// Keeps a submission in memory until it is read on this machine, or until the next submission. Does nothing with a backend.
  func hold(_ submission: Submission) { if uploader == nil { reader.hold(submission) } }

  /// Whether nothing is left to do. Failed scans do not count. Without a backend, jobs that a backend must still clean up do not count either.
  func isDone(_ counts: ScanQueue.Counts) -> Bool {
    uploader == nil ? counts.pending + counts.uploaded == 0 : counts.isDrained
  }
}

// MARK: - Its events

extension QueueWork {
  private var journal: ScanJournal { recognition.journal }

  /// - Parameter now: the time by the clock of the shutter's presses.
  func tell(_ event: UploaderEvent, at now: MonotonicTime?) {
    switch event {
    case .uploading, .uploaded, .cleanedUp: break
    case .progress(let key, let progress): journal.note(.progress(key, progress))
    case .delivered(let key, let books):
      recognition.forget(scan: key)
      let known = journal.close(key)
      let time = known.pressed.flatMap { pressed in now.map { $0 - pressed } }
      journal.note(.delivered(key, books, by: known.way, time: time))
    case .postponed(let key, let until, let reason):
      journal.note(.postponed(key, until: until, reason: reason))
    case .failed(let key, let reason):
      forget(key)
      journal.note(.failed(key, reason: reason))
    case .dropped(let key): forget(key)
    case .limited(let until): journal.note(.limited(until: until))
    case .unlimited: journal.note(.unlimited)
    // `Recognition` reports these, because it knows whether the backend or this machine has answered.
    case .offline, .online: break
    case .storageTrouble(let reason): tell(trouble: reason)
    }
  }

  /// Forgets a scan that has left the queue.
  func forget(_ key: UUID) {
    recognition.forget(scan: key)
    _ = journal.close(key)
  }

  /// Reports an error of the store, but only if it means that the library is gone.
  func tell(_ error: DeliveryError) { if !store.isInPlace { tell(trouble: error.description) } }

  /// Reports trouble with the store. The loss of the library is reported only once, since it is permanent.
  private func tell(trouble reason: String) {
    if store.isInPlace { return journal.note(.storageTrouble(reason: reason)) }
    let isNews = isGone.withLock { isGone in
      defer { isGone = true }
      return !isGone
    }
    if isNews { journal.note(.libraryGone(reason: reason)) }
  }
}

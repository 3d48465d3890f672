import FoundationEssentials
import Glibc
public import Library
import Uploads

/// Reads photographs from files into the library, through the same queue as a camera's photos.
///
/// A photograph is identified by the digest of its content, which is the key of its scan. The scan's receipt therefore records for ever that the
/// photograph was read, whatever the file is called. Only a few photographs are in the queue at a time. If a run is interrupted in any way, the
/// next run over the same files continues it. One station owns a store at a time.
///
/// ```swift
/// let reader = PhotoReader(worker: try RecognitionWorker(), level: .accurate)
/// let journal = ScanJournal(keepsCut: true)
/// let station = PhotographStation(
///   store: try Store(directory: folder),
///   recognition: Recognition(WaySettings(), remote: nil, reader: reader, journal: journal), journal: journal)
/// let watching = Task {
///   var tally = PhotographTally()
///   for await event in station.events { tally.note(event) }
///   return tally.summary
/// }
/// try await station.run(PhotographSearch(["shelves"]).photographs)
/// print(await watching.value.new, "books")
/// ```
public actor PhotographStation {
  /// The events. Only one task may watch them.
  public nonisolated let events: AsyncStream<ScanEvent>

  private struct Reading {
    var photograph: Photograph
    var began: TimeInterval
  }

  private let store: Store
  private let work: QueueWork
  private let journal: ScanJournal
  private let clock: any DeliveryClock
  private let changes = ChangeCounter()

  /// The photographs of this run that are in the queue, by their keys.
  private var open: [UUID: Reading] = [:]
  /// The paths of files that this run has submitted or found to be known, by their keys.
  private var seen: [UUID: String] = [:]
  /// Scans of an earlier run that this run has delivered.
  private var caughtUp: Set<UUID> = []
  private var pace = RunPace(count: 0, weight: 0, at: 0)
  private var meanWeight = 1.0
  private var gone: Set<[UInt8]> = []
  private var isEnding = false

  /// - Parameters:
  ///   - store: a store opened as owner.
  ///   - journal: keeps the books and scans of the session, and sends its events. It must be the journal that `recognition` was made with;
  ///     otherwise ``events`` lacks the fallbacks and the books.
  ///   - clock: times retries and pauses.
  public init(
    store: Store, recognition: Recognition, journal: ScanJournal, clock: any DeliveryClock = WallClock()
  ) {
    self.store = store
    self.journal = journal
    self.clock = clock
    work = QueueWork(store: store, recognition: recognition, clock: clock)
    events = journal.events
  }

  /// Delivers the scans in the queue, and reads the photographs into the library. Call it once for each station; without photographs it empties
  /// the queue. If cancelled, it ends after the photo that is being read; queued scans stay in the queue.
  /// - Parameter again: whether photographs that were read before are read again, replacing their earlier results.
  /// - Throws: `DeliveryError` if the library cannot be written, its disk is full, or it is gone. A photograph that cannot be read is an event,
  ///   not an error.
  public func run(_ photographs: [Photograph], again: Bool = false) async throws(DeliveryError) {
    let working = try await begin(photographs)
    var failure: DeliveryError?
    do throws(DeliveryError) {
      for (index, photograph) in photographs.enumerated() {
        // Queue one photograph more than are read at a time, so that the next one is on disk when its reading can begin.
        try await waitForRoom(work.concurrency + 1)
        if Task.isCancelled { break }
        try await handIn(photograph, again, left: photographs[index...])
      }
      try await waitUntilDrained()
    } catch { failure = error }
    isEnding = true
    working.cancel()
    await working.value
    journal.finish()
    if let failure { throw failure }
  }

  private func begin(_ photographs: [Photograph]) async throws(DeliveryError) -> Task<Void, Never> {
    do throws(DeliveryError) {
      journal.restore(try await store.library.spines(limit: SpineRegister.limit))
      let counts = try await store.queue.counts()
      let waiting = counts.pending + counts.uploaded
      let weight = photographs.reduce(0) { $0 + Self.weight($1) }
      if !photographs.isEmpty { meanWeight = weight / Double(photographs.count) }
      pace = RunPace(
        count: photographs.count + waiting, weight: weight + Double(waiting) * meanWeight, at: clock.uptime)
      try await expectAgain()
    } catch {
      journal.finish()
      throw error
    }
    return Task { [weak self, work] in
      await work.run { [weak self] in await self?.take($0) }
    }
  }

  /// Notes which queued scans have a receipt: they are read again, so their new results replace the earlier ones.
  private func expectAgain() async throws(DeliveryError) {
    var last: QueuedScan.ID = 0
    while true {
      let scans = try await store.queue.scans(after: last)
      guard let end = scans.last else { return }
      last = end.id
      for scan in scans {
        if let receipt = try await store.queue.receipt(of: scan.key) { journal.expectAgain(receipt) }
      }
    }
  }

  private static func weight(_ photograph: Photograph) -> Double {
    RemainingTime.weight(bytes: photograph.bytes)
  }
}

// MARK: - Submitting photographs

extension PhotographStation {
  private func handIn(
    _ photograph: Photograph, _ again: Bool, left: ArraySlice<Photograph>
  ) async throws(DeliveryError) {
    if let folder = photograph.folder, gone.contains(Array(folder.utf8)) { return }
    let bytes: [UInt8]
    do { bytes = try Photograph.contents(photograph.path) } catch {
      return note(unread: photograph, error.description, left: left)
    }
    guard let mediaType = Photograph.mediaType(bytes) else {
      let reason = "\(photograph.path) is neither a JPEG nor a PNG file; convert it to one of them."
      return pass(photograph, .unread(photograph, reason: reason))
    }
    let key = UUID.digest(of: bytes)
    if let first = seen[key] { return pass(photograph, .copy(photograph, of: first)) }
    let receipt = try await store.queue.receipt(of: key)
    if let receipt, again, !caughtUp.contains(key) { journal.expectAgain(receipt) }
    let submission = Submission(
      key: key, content: .image(bytes, mediaType: mediaType), capturedAt: clock.now,
      path: photograph.wholePath, location: photograph.location)
    open[key] = Reading(photograph: photograph, began: clock.uptime)
    do throws(DeliveryError) {
      let isNew = again && !caughtUp.contains(key)
      let acceptance = try await accept(submission, again: isNew)
      if acceptance == .accepted { work.hold(submission) }
      seen[key] = photograph.path
      try await note(acceptance, of: photograph, key, receipt: receipt)
    } catch  where error.kind == .badInput {
      open[key] = nil
      pass(photograph, .unread(photograph, reason: "\(photograph.path): \(error)"))
    }
  }

  /// Accepts a submission. If the disk is full, waits until the earlier photographs have left the queue, and tries again.
  private func accept(_ submission: Submission, again: Bool) async throws(DeliveryError)
    -> ScanQueue.Acceptance
  {
    do { return try await store.queue.accept(submission, again: again) } catch  where error.kind == .diskFull
    {
      let mine = open.removeValue(forKey: submission.key)
      try await waitForRoom(1)
      open[submission.key] = mine
      return try await store.queue.accept(submission, again: again)
    }
  }

  private func note(
    _ acceptance: ScanQueue.Acceptance, of photograph: Photograph, _ key: UUID, receipt: Receipt?
  ) async throws(DeliveryError) {
    switch acceptance {
    case .accepted: break
    case .alreadyQueued:
      // An earlier run submitted the photograph. If that run gave the scan up, the scan was not counted among the waiting ones.
      if try await store.queue.retry([key]) == 0 { pace.unite(weight: meanWeight) }
    case .alreadyDelivered:
      open[key] = nil
      try await store.library.name(
        photograph: key, photograph.wholePath, location: photograph.location)
      if caughtUp.contains(key) { return pace.unite(weight: Self.weight(photograph)) }
      return pass(photograph, .known(photograph, key, since: receipt?.deliveredAt ?? clock.now))
    }
    journal.note(.photograph(.queued(photograph, key)))
    work.wake()
  }

  /// Reports a file that cannot be read. If its folder is gone too, skips the other files of the folder.
  private func note(unread photograph: Photograph, _ reason: String, left: ArraySlice<Photograph>) {
    guard let folder = photograph.folder, access(folder, F_OK) != 0, gone.insert(Array(folder.utf8)).inserted
    else {
      return pass(photograph, .unread(photograph, reason: reason))
    }
    let lost = left.filter { $0.folder?.utf8.elementsEqual(folder.utf8) == true }
    journal.note(.photograph(.folderGone(folder, left: lost.count)))
    for photograph in lost { note(pace.passed(weight: Self.weight(photograph))) }
  }

  private func pass(_ photograph: Photograph, _ what: PhotographNews) {
    journal.note(.photograph(what))
    note(pace.passed(weight: Self.weight(photograph)))
  }

  private func note(_ progress: PhotographProgress) { journal.note(.photograph(.progress(progress))) }
}

// MARK: - Waiting, and events of the work

extension PhotographStation {
  /// Waits until fewer than `count` photographs of this run are in the queue.
  private func waitForRoom(_ count: Int) async throws(DeliveryError) {
    while open.count >= count, !Task.isCancelled {
      let seen = changes.count
      try store.requireInPlace("read photographs")
      try await forgetDropped()
      if open.count < count { return }
      await changes.wait(after: seen)
    }
  }

  /// Forgets photographs of this run that somebody has dropped from the queue.
  private func forgetDropped() async throws(DeliveryError) {
    for key in Array(open.keys) {
      if try await !store.queue.knows(key) { open[key] = nil }
    }
  }

  private func waitUntilDrained() async throws(DeliveryError) {
    while !Task.isCancelled {
      let seen = changes.count
      try store.requireInPlace("read photographs")
      if work.isDone(try await store.queue.counts()) { return }
      await changes.wait(after: seen)
    }
  }

  private func take(_ event: UploaderEvent) async {
    defer { changes.increment() }
    switch event {
    case .storageTrouble where isEnding: return
    case .failed(let key, let reason):
      guard let photograph = open.removeValue(forKey: key)?.photograph else { break }
      work.forget(key)
      journal.note(.photograph(.unread(photograph, reason: "\(photograph.path): \(reason)")))
      note(pace.passed(weight: Self.weight(photograph)))
      // The file still exists, so a failed copy in the queue has no use.
      _ = try? await store.queue.drop(key)
      return
    default: break
    }
    work.tell(event, at: nil)
    count(event)
  }

  private func count(_ event: UploaderEvent) {
    switch event {
    case .delivered(let key, _):
      let reading = open.removeValue(forKey: key)
      if reading == nil { caughtUp.insert(key) }
      let weight = reading.map { Self.weight($0.photograph) } ?? meanWeight
      note(pace.read(weight: weight, since: reading?.began ?? -.infinity, at: clock.uptime))
    case .failed: note(pace.passed(weight: meanWeight))
    case .dropped(let key):
      note(
        pace.passed(weight: open.removeValue(forKey: key).map { Self.weight($0.photograph) } ?? meanWeight))
    default: break
    }
  }
}

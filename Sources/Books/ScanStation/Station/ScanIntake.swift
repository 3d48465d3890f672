public import Capture
public import FoundationEssentials
import Imagery
public import Library
public import System
import Uploads

/// Accepts photos into the durable queue, has them recognised, and delivers their books to the library.
///
/// A photo is acknowledged when it is on disk. From then on it is delivered once, even if the process dies. One intake owns a store at a time. A
/// ``ScanStation`` has its own intake; a program that owns its camera, such as a viewfinder, passes its photos to an intake.
///
/// ```swift
/// let intake = ScanIntake(store: store, recognition: recognition, journal: journal)
/// try await intake.begin()
/// let photo = try await session.capturePhoto(recognition.photoSettings, from: photos)
/// try await intake.accept(photo.photo.bytes)
/// ```
public actor ScanIntake {
  /// The events. Only one task may watch them.
  public nonisolated let events: AsyncStream<ScanEvent>
  /// The time until which the backend accepts no scans (429). Nil if it accepts them.
  public private(set) var limitedUntil: Date?
  private let store: Store
  private let work: QueueWork
  private let journal: ScanJournal
  private let location: String?
  private let clock: any CaptureClock
  private var sameFrames = SameFrames()
  private var taken = 0
  private var isHalting = false
  private var delivering: Task<Void, Never>?
  private let changes = ChangeCounter()

  /// - Parameters:
  ///   - store: a store opened as owner.
  ///   - journal: keeps the books and scans of the session, and sends its events. It must be the journal that `recognition` was made with;
  ///     otherwise ``events`` lacks the fallbacks and the books.
  ///   - location: the place of the shelves in a person's words; the library keeps it with each photo.
  ///   - clock: times presses of the shutter.
  ///   - deliveryClock: times retries and pauses.
  public init(
    store: Store, recognition: Recognition, journal: ScanJournal, location: String? = nil,
    clock: any CaptureClock = SystemClock(), deliveryClock: any DeliveryClock = WallClock()
  ) {
    self.store = store
    self.journal = journal
    self.location = location
    self.clock = clock
    events = journal.events
    work = QueueWork(store: store, recognition: recognition, clock: deliveryClock)
  }

  /// Starts delivering the queue, with the spines that the library has. Call it once.
  /// - Throws: an error if the library cannot be read; the queue is then unchanged.
  public func begin() async throws(DeliveryError) {
    journal.restore(try await store.library.spines(limit: SpineRegister.limit))
    delivering = Task { [weak self, work] in
      await work.run { [weak self] in await self?.take($0) }
    }
  }

  /// Adds a photo to the queue.
  /// - Parameters:
  ///   - photo: a JPEG file, upright or with an orientation tag.
  ///   - pressed: when the shutter was pressed; by default now.
  /// - Returns: the key of the scan, once it is on disk. Nil if the photo shows the same as an earlier one.
  /// - Throws: `badInput`, `diskFull`, `storage`; nothing of the photo is kept then.
  @discardableResult
  public func accept(_ photo: [UInt8], pressed: MonotonicTime? = nil) async throws(DeliveryError) -> UUID? {
    let pressed = pressed ?? clock.now()
    let look = SameFrames.Look(photo)
    if let look, let known = sameFrames.known(look) {
      journal.note(.sameAs(known))
      return nil
    }
    let submission = Submission(content: .image(photo, mediaType: "image/jpeg"), location: location)
    // Note the press first: the scan may be finished before `accept` returns.
    journal.pressed(submission.key, at: pressed)
    if let look { sameFrames.add(look, submission.key) }
    do { try await store.queue.accept(submission) } catch {
      _ = journal.close(submission.key)
      sameFrames.forget(submission.key)
      work.tell(error)
      throw error
    }
    taken += 1
    journal.note(
      .accepted(
        AcceptedScan(
          key: submission.key, number: taken, bytes: photo.count, acceptTime: clock.now() - pressed)))
    work.hold(submission)
    work.wake()
    return submission.key
  }

  /// The number of scans in each state.
  /// - Throws: an error if the library cannot be read.
  public func counts() async throws(DeliveryError) -> ScanQueue.Counts { try await store.queue.counts() }

  /// Waits until every queued scan is delivered or given up, and the backend has removed its images. Returns at once when cancelled.
  public func drain() async throws(DeliveryError) {
    while !Task.isCancelled {
      let seen = changes.count
      if work.isDone(try await counts()) { return }
      await changes.wait(after: seen)
    }
  }

  /// Stops delivering; queued scans stay in the queue. Ends `events`.
  public func end() async {
    await halt()
    journal.finish()
  }

  /// Stops delivering without ending `events`.
  func halt() async {
    isHalting = true
    delivering?.cancel()
    await delivering?.value
  }

  private func take(_ event: UploaderEvent) {
    defer { changes.increment() }
    switch event {
    case .limited(let until): limitedUntil = until
    case .unlimited: limitedUntil = nil
    // Work that is stopped while it reads the queue reports storage trouble.
    case .storageTrouble where isHalting: return
    default: break
    }
    work.tell(event, at: clock.now())
  }
}

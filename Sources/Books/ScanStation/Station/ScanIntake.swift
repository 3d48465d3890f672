public import Capture
public import FoundationEssentials
import Imagery
public import Library
public import System
import Uploads

/// From a photo to the library: photos that a program has taken go into the durable queue and from there, recognised, into the library.
///
/// A photo is acknowledged when it is on disk; whatever happens then, it is delivered once. One intake owns a store at a time. A ``ScanStation``
/// has one of its own; a program that owns its camera itself, such as a viewfinder, hands its photos in here.
///
/// ```swift
/// let intake = ScanIntake(store: store, recognition: recognition, journal: journal)
/// try await intake.begin()
/// let photo = try await session.capturePhoto(recognition.photoSettings, from: photos)
/// try await intake.accept(photo.photo.bytes)
/// ```
public actor ScanIntake {
  /// Everything that happens, for one watcher.
  public nonisolated let events: AsyncStream<ScanEvent>
  /// Until when the backend accepts no scans (429); nil while it does.
  public private(set) var limitedUntil: Date?
  private let store: Store
  private let uploader: Uploader
  private let journal: ScanJournal
  private let news: UploaderNews
  private let clock: any CaptureClock
  private var sameFrames = SameFrames()
  private var taken = 0
  private var isHalting = false
  private var listening: Task<Void, Never>?
  private var delivering: Task<Void, Never>?
  private let changes = ChangeCounter()

  /// - Parameters:
  ///   - store: opened as owner.
  ///   - journal: that of `recognition`.
  ///   - clock: that presses are timed by.
  ///   - deliveryClock: that retries and pauses are timed by.
  public init(
    store: Store, recognition: Recognition, journal: ScanJournal, clock: any CaptureClock = SystemClock(),
    deliveryClock: any DeliveryClock = WallClock()
  ) {
    self.store = store
    self.journal = journal
    self.clock = clock
    events = journal.events
    news = UploaderNews(store: store, recognition: recognition, journal: journal)
    uploader = Uploader(store: store, backend: recognition, clock: deliveryClock, concurrency: 2)
  }

  /// Sets off with what is in the queue. Spines that the library knows are known from the first photo on. Once.
  /// - Throws: when the library cannot be read; the queue is then left as it is.
  public func begin() async throws(DeliveryError) {
    journal.restore(try await store.library.spines(limit: SpineRegister.limit))
    listening = Task { [weak self, uploader] in
      for await event in uploader.events { await self?.take(event) }
    }
    delivering = Task { [uploader] in await uploader.run() }
  }

  /// Puts a photo into the queue.
  /// - Parameters:
  ///   - photo: a JPEG file, upright or with its orientation.
  ///   - pressed: when the shutter was pressed; now, unless said otherwise.
  /// - Returns: its key once it is on disk; nil when it shows what an earlier one did.
  /// - Throws: `badInput`, `diskFull`, `storage`: nothing of it is kept.
  @discardableResult
  public func accept(_ photo: [UInt8], pressed: MonotonicTime? = nil) async throws(DeliveryError) -> UUID? {
    let pressed = pressed ?? clock.now()
    let look = SameFrames.Look(photo)
    if let look, let known = sameFrames.known(look) {
      journal.note(.sameAs(known))
      return nil
    }
    let submission = Submission(content: .image(photo, mediaType: "image/jpeg"))
    // Known before the uploader can be done with it.
    journal.pressed(submission.key, at: pressed)
    if let look { sameFrames.add(look, submission.key) }
    do { try await store.queue.accept(submission) } catch {
      _ = journal.close(submission.key)
      sameFrames.forget(submission.key)
      news.tell(error)
      throw error
    }
    taken += 1
    journal.note(
      .accepted(
        AcceptedScan(
          key: submission.key, number: taken, bytes: photo.count, acceptTime: clock.now() - pressed)))
    uploader.wake()
    return submission.key
  }

  /// How many scans are in which state.
  /// - Throws: when the library cannot be read.
  public func counts() async throws(DeliveryError) -> ScanQueue.Counts { try await store.queue.counts() }

  /// Waits until everything queued is delivered or given up on, and the backend has removed its images. Cancelled, it
  /// returns at once.
  public func drain() async throws(DeliveryError) {
    while !Task.isCancelled {
      let seen = changes.count
      if try await counts().isDrained { return }
      await changes.wait(after: seen)
    }
  }

  /// Delivers no more; what is queued stays so. `events` ends.
  public func end() async {
    await halt()
    journal.finish()
  }

  /// The same, without the end of `events`.
  func halt() async {
    isHalting = true
    delivering?.cancel()
    await delivering?.value
    listening?.cancel()
    await listening?.value
  }

  private func take(_ event: UploaderEvent) {
    defer { changes.increment() }
    switch event {
    case .limited(let until): limitedUntil = until
    case .unlimited: limitedUntil = nil
    // Stopped in the middle of a look at the queue, the uploader calls that trouble.
    case .storageTrouble where isHalting: return
    default: break
    }
    news.tell(event, at: clock.now())
  }
}

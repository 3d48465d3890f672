public import Capture
public import FoundationEssentials
import Imagery
public import Library
import System
import Uploads

/// The times at which a station takes photos.
public enum ShutterMode: Sendable, Equatable {
  /// Only when `press` is called.
  case key
  /// At this interval, and when `press` is called.
  case interval(Duration)
  /// When the picture is steady and shows something new, and when `press` is called.
  case automatic
}

/// The reason why a photo was not taken.
public enum ShutterError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The backend accepts no scans before this time (429).
  case limited(until: Date)
  /// ``ScanStation/ScanStation/finish()`` was called.
  case finished

  public var description: String {
    switch self {
    case .limited: "cannot take a photo: the backend takes no scans for now; wait for the countdown"
    case .finished: "cannot take a photo: scanning has ended; start it again"
    }
  }
}

/// Scans with a camera: the photos of a session go into the durable queue, are recognised, and their books go into the library.
///
/// A photo is acknowledged when it is on disk. From then on it is delivered once, even if the process dies. One station owns a store at a time.
///
/// An example without a backend. Another task ends it with ``finish()``:
///
/// ```swift
/// let reader = PhotoReader(worker: try RecognitionWorker(), level: .accurate)
/// let journal = ScanJournal()
/// let station = ScanStation(
///   source: source, store: try Store(directory: folder),
///   recognition: Recognition(WaySettings(), remote: nil, reader: reader, journal: journal), journal: journal)
/// try await station.start()
/// for await event in station.events {
///   guard case .found(_, let spines) = event else { continue }
///   for spine in spines where spine.isNew { print(spine.title, spine.author) }
/// }
/// ```
public actor ScanStation {
  /// The events. Only one task may watch them.
  public nonisolated let events: AsyncStream<ScanEvent>
  /// The session of the camera. Add an output to it for a preview. The station starts and stops the session; do not do so yourself.
  public nonisolated let session: CaptureSession
  private let photos: PhotoOutput
  private let store: Store
  private let intake: ScanIntake
  private let journal: ScanJournal
  private let clock: any CaptureClock
  private let mode: ShutterMode
  private let photoSettings: PhotoSettings
  private var isFinished = false
  private var tasks: [Task<Void, Never>] = []
  private var interval: Scheduled?

  /// - Parameters:
  ///   - store: a store opened as owner.
  ///   - journal: keeps the books and scans of the session, and sends its events. It must be the journal that `recognition` was made with;
  ///     otherwise ``events`` lacks the fallbacks and the books.
  ///   - location: the place of the shelves in a person's words; the library keeps it with each photo.
  ///   - configuration: how the session of the camera behaves. An automatic shutter watches all the time, so with it the session does not pause
  ///     for inactivity. In the other modes the next press resumes a paused session.
  ///   - deliveryClock: times retries and pauses.
  public init(
    source: any CameraSource, store: Store, recognition: Recognition, journal: ScanJournal,
    location: String? = nil, shutter: ShutterMode = .automatic,
    configuration: SessionConfiguration = SessionConfiguration(), clock: any CaptureClock = SystemClock(),
    deliveryClock: any DeliveryClock = WallClock()
  ) {
    self.store = store
    self.journal = journal
    self.clock = clock
    mode = shutter
    events = journal.events
    var configuration = configuration
    if shutter == .automatic { configuration.inactivityTimeout = nil }
    session = CaptureSession(source: source, configuration: configuration, clock: clock)
    photos = PhotoOutput(clock: clock)
    intake = ScanIntake(
      store: store, recognition: recognition, journal: journal, location: location, clock: clock,
      deliveryClock: deliveryClock)
    photoSettings = recognition.photoSettings
  }

  /// Opens the camera and starts delivering the queue, with the spines that the library has.
  /// - Throws: `SessionError` if the camera cannot be used, `DeliveryError` if the library cannot be read; the queue is then unchanged.
  public func start() async throws {
    do { try await intake.begin() } catch {
      await halt()
      throw error
    }
    await session.add(photos)
    if mode == .automatic { await addWatcher() }
    let states = await session.states()
    tasks.append(
      Task { [journal] in for await state in states { journal.note(.session(state)) } })
    do { try await session.start() } catch {
      await halt()
      throw error
    }
    if case .interval(let period) = mode { armInterval(period) }
  }

  /// Takes a photo and adds it to the queue. Resumes a session that was paused for inactivity.
  /// - Returns: the key of the scan, once it is on disk. Nil if the photo shows the same as an earlier one.
  /// - Throws: `ShutterError`, `SessionError`, `ImageError`, `DeliveryError`; nothing of the photo is kept then.
  @discardableResult
  public func press() async throws -> UUID? {
    // A press counts as activity even while photos are limited.
    if !isFinished, await intake.limitedUntil != nil { await session.noteActivity() }
    return try await takePhoto()
  }

  private func takePhoto() async throws -> UUID? {
    if isFinished { throw ShutterError.finished }
    if let limit = await intake.limitedUntil { throw ShutterError.limited(until: limit) }
    let pressed = clock.now()
    let captured = try await session.capturePhoto(photoSettings, from: photos)
    return try await intake.accept(captured.photo.bytes, pressed: pressed)
  }

  /// Whether the library's file is still the one that was opened.
  public nonisolated var isLibraryInPlace: Bool { store.isInPlace }

  /// Whether `press` may take a photo now.
  public var isShutterOpen: Bool {
    get async {
      let state = await session.state
      let limit = await intake.limitedUntil
      return !isFinished && limit == nil && state.acceptsPhotos
    }
  }

  /// Stops taking photos. Queued scans are still delivered.
  public func closeShutter() async {
    isFinished = true
    interval?.cancel()
    await session.stop()
  }

  /// Waits until every queued scan is delivered or given up, and the backend has removed its images. Returns at once when cancelled.
  public func drain() async throws(DeliveryError) { try await intake.drain() }

  /// Stops taking photos and delivering, and closes the camera.
  /// - Returns: the counts of the scans left in the queue.
  @discardableResult
  public func finish() async throws(DeliveryError) -> ScanQueue.Counts {
    await closeShutter()
    await halt()
    return try await intake.counts()
  }

  private func halt() async {
    isFinished = true
    await session.stop()
    await intake.halt()
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    tasks = []
    journal.finish()
  }
}

// MARK: - Automatic presses

extension ScanStation {
  /// Takes a photo automatically, without waiting for its reading. An error is sent as an event.
  private func pressUnattended() async -> Bool {
    do {
      _ = try await takePhoto()
      return true
    } catch let error as ShutterError where error != .finished {
      return false
    } catch SessionError.Code.captureRefused {
      return false
    } catch {
      if store.isInPlace { journal.note(.refused("\(error)")) }
      return false
    }
  }

  private func armInterval(_ period: Duration) {
    guard !isFinished else { return }
    interval = clock.schedule(at: clock.now() + period) { [weak self] in
      Task { [weak self] in
        _ = await self?.pressUnattended()
      }
      await self?.armInterval(period)
    }
  }

  private func addWatcher() async {
    let watcher = ShutterWatcher { [weak self] in await self?.pressUnattended() ?? false }
    await session.add(
      AnalysisOutput(longSide: ShutterWatcher.longSide, clock: clock) { watcher.look(at: $0) })
  }
}

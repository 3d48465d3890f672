public import Imagery
public import System

/// Takes photos with zero shutter lag: it keeps the latest frames, and the photo is the one nearest to the press, which
/// may be before it. Captures overlap; each is answered exactly once, with a photo or the reason why there is none.
///
/// ```swift
/// let photos = PhotoOutput()
/// await session.add(photos)
/// let captured = try await session.capturePhoto(from: photos)
/// print(captured.photo.bytes.count, captured.shutterLag)
/// ```
///
/// AVFoundation's counterpart is `AVCapturePhotoOutput` with `isZeroShutterLagEnabled`.
public final class PhotoOutput: FrameOutput {
  /// Frames kept; each is a buffer that the driver cannot fill meanwhile.
  static let ringDepth = 2
  /// Photos that may be under way at once, as many deferred ones, and as many bursts.
  public static let pendingLimit = 16
  /// Photos of a burst that may wait to be read; while so many do, it takes no frame.
  public static let unreadLimit = 32
  /// Frames of bursts that may wait: a burst that is slower than the camera takes the next frame when there is room.
  static let burstDepth = 4

  struct State {
    var ring: [Frame] = []
    var interval = Duration.zero
    var requests: [PhotoRequest] = []
    var bursts: [PhotoBurst] = []
    /// Why there is no picture; nil again with the next frame.
    var outage: SessionError?
    /// When frames came.
    var gaps = FrameGaps()
  }

  let state = Locked(State())
  private let worker: OutputWorker<PhotoJob>
  private let finisher: OutputWorker<PhotoJob>
  private let lock = Locked<Rotation?>(nil)

  /// - Parameters:
  ///   - makeProcessor: makes what turns frames into photos; called once for each of the output's two threads; the second begins with the first
  ///     deferred photo. The default fails for a frame that is damaged or cut short, so that no such photo is handed out.
  ///   - wallTime: nanoseconds since 1970 began in UTC, for the photos' metadata; nil, the default, is the system's.
  public init(
    clock: any CaptureClock = SystemClock(),
    makeProcessor: @Sendable () -> any PhotoProcessing = { PhotoPipeline(damage: .refuse) },
    wallTime: (@Sendable () -> Int64)? = nil
  ) {
    let time: @Sendable () -> Int64? = { wallTime?() ?? PhotoWorker.systemWallTime() }
    let photoWorker = PhotoWorker(processor: makeProcessor(), clock: clock, wallTime: time)
    let laterWorker = PhotoWorker(processor: makeProcessor(), clock: clock, wallTime: time)
    let finisher = OutputWorker<PhotoJob>(
      name: "photo-later", clock: clock, capacity: PhotoOutput.pendingLimit, overflow: .refuse,
      onEnd: laterWorker.rest
    ) { job in
      guard job.request.answer.isAwaited else { return }
      job.request.answer.give(Result { try laterWorker.develop(job.frame, job.request) })
    }
    self.finisher = finisher
    worker = OutputWorker(
      name: "photo", clock: clock, capacity: PhotoOutput.pendingLimit, overflow: .refuse,
      onEnd: photoWorker.rest
    ) { job in
      let request = job.request
      if request.answer.isAwaited {
        request.answer.give(Result { try photoWorker.develop(job.frame, request) })
      }
      if request.later != nil { PhotoOutput.finishLater(job, photoWorker, finisher: finisher) }
    }
  }

  /// The frame's memory is copied, so that the camera does not wait for the photo.
  private static func finishLater(
    _ job: PhotoJob, _ photoWorker: PhotoWorker, finisher: OutputWorker<PhotoJob>
  ) {
    guard let later = job.request.later, later.answer.isAwaited else { return }
    let frame: Frame
    do throws(ImageError) { frame = try photoWorker.copied(job.frame) } catch {
      return later.answer.give(.failure(error))
    }
    let request = PhotoRequest(
      pressed: job.request.pressed, settings: later.settings, camera: job.request.camera, answer: later.answer
    )
    // Its thread begins with the first photo that is deferred.
    do throws(ResourceShortage) { try finisher.begin() } catch {
      return later.answer.give(.failure(error))
    }
    if !finisher.offer(PhotoJob(frame: frame, request: request)) {
      later.answer.give(.failure(SessionError.tooManyPhotos(limit: PhotoOutput.pendingLimit)))
    }
  }

  /// Photos are turned as if the device were held at this angle, whatever it is held at; nil, the default, follows it. Takes effect
  /// on the next frame; a photo is of one of the latest two.
  public var angleLock: Rotation? {
    get { lock.withLock { $0 } }
    set { lock.withLock { $0 = newValue } }
  }

  /// Photos asked for whose frame has not come yet; those of bursts not counted.
  public var waitingCount: Int { state.withLock { $0.requests.count } }

  // MARK: Asking

  /// The answer to a request that was entered with `begin`. Waits that were interrupted throw `SessionError`, pictures that cannot be
  /// processed `ImageError`, and a task that is cancelled `CancellationError`, at once.
  func answer(to request: PhotoRequest) async throws -> CapturedPhoto {
    try await withTaskCancellationHandler {
      try await request.answer.value()
    } onCancel: {
      request.answer.give(.failure(CancellationError()))
      request.later?.answer.give(.failure(CancellationError()))
      state.withLock { $0.requests.removeAll { $0.answer === request.answer } }
    }
  }

  /// The request ends with this reason, unless it has been answered.
  func abandon(_ request: PhotoRequest, because error: SessionError) {
    request.answer.give(.failure(error))
    state.withLock { $0.requests.removeAll { $0.answer === request.answer } }
  }

  /// Takes the request: now, where its frame is there, or with its frame. The session calls it in the same step in which it found that there
  /// is a picture.
  func begin(_ request: PhotoRequest) {
    let (frame, refusal): (Frame?, SessionError?) = state.withLock { state in
      if let outage = state.outage { return (nil, outage) }
      if let frame = state.nearest(to: request) { return (frame, nil) }
      guard state.requests.count < PhotoOutput.pendingLimit else {
        return (nil, .tooManyPhotos(limit: PhotoOutput.pendingLimit))
      }
      state.requests.append(request)
      return (nil, nil)
    }
    if let refusal { return request.answer.give(.failure(refusal)) }
    if let frame { develop(frame, for: request) }
  }

  /// Its first shot is of the frame nearest to the press, the others are of the frames that follow.
  func begin(_ burst: PhotoBurst) {
    let (frame, refusal): (Frame?, SessionError?) = state.withLock { state in
      if let outage = state.outage { return (nil, outage) }
      state.bursts.removeAll { $0.isOver }
      guard state.bursts.count < PhotoOutput.pendingLimit else {
        return (nil, .tooManyPhotos(limit: PhotoOutput.pendingLimit))
      }
      state.bursts.append(burst)
      return (state.nearest(to: burst.pressed), nil)
    }
    if let refusal { return burst.fail(with: refusal) }
    if let frame { shoot(burst, frame) }
  }

  // MARK: Frames

  /// Keeps the frame, as one of the latest two, and gives it to the presses that wait for it; the session calls it.
  public func receive(_ frame: Frame) {
    let (ready, bursts): ([(Frame, PhotoRequest)], [PhotoBurst]) = state.withLock { state in
      state.keep(frame)
      guard !state.requests.isEmpty || !state.bursts.isEmpty else { return ([], []) }
      return (state.takeReady(), state.bursts)
    }
    for (frame, request) in ready { develop(frame, for: request) }
    for burst in bursts { shoot(burst, frame) }
  }

  private func develop(_ frame: Frame, for request: PhotoRequest) {
    if !worker.offer(PhotoJob(frame: frame, request: request)) {
      request.answer.give(.failure(SessionError.tooManyPhotos(limit: PhotoOutput.pendingLimit)))
    }
  }

  private func shoot(_ burst: PhotoBurst, _ frame: Frame) {
    guard let request = burst.nextShot() else { return }
    if !worker.offer(PhotoJob(frame: frame, request: request), unlessWaiting: PhotoOutput.burstDepth) {
      burst.putBack()
    }
  }

  /// Every capture still waiting for its frame fails with `error`. Those that have it are finished.
  func fail(with error: SessionError) {
    let (requests, bursts) = state.withLock { state in
      defer { (state.requests, state.bursts, state.ring, state.outage) = ([], [], [], error) }
      return (state.requests, state.bursts)
    }
    for request in requests { request.answer.give(.failure(error)) }
    for burst in bursts { burst.fail(with: error) }
  }

  /// Starts the photo thread; the session calls it.
  public func begin() throws(ResourceShortage) {
    // Forget the error that ended the last run.
    state.withLock { $0.outage = nil }
    try worker.begin()
  }

  /// Ends the photo threads, deferred photos included; presses that still wait fail with `captureCancelled`. The session calls it.
  public func end() {
    fail(with: .captureCancelled)
    worker.end()
    finisher.end()
  }
}

extension PhotoOutput.State {
  /// As one of the latest.
  mutating func keep(_ frame: Frame) {
    outage = nil
    gaps.note(frame)
    if let last = ring.last { interval = frame.exposureTime - last.exposureTime }
    ring.append(frame)
    if ring.count > PhotoOutput.ringDepth { ring.removeFirst() }
    bursts.removeAll { $0.isOver }
  }

  /// Presses whose frame is there now.
  mutating func takeReady() -> [(Frame, PhotoRequest)] {
    let waiting = requests
    requests = []
    return waiting.compactMap { request in
      if let frame = nearest(to: request) { return (frame, request) }
      requests.append(request)
      return nil
    }
  }

  /// The kept frame nearest to the press; of those that will do the newest, where not all will.
  func nearest(to request: PhotoRequest) -> Frame? {
    guard let accepts = request.accepts else { return nearest(to: request.pressed) }
    return ring.last { $0.exposureTime >= request.pressed && accepts($0) }
  }

  /// The kept frame nearest to `time`; nil while a nearer one is still to come.
  func nearest(to time: MonotonicTime) -> Frame? {
    guard let latest = ring.last else { return nil }
    let isDecided = latest.exposureTime >= time || (time - latest.exposureTime) * 2 <= interval
    guard isDecided else { return nil }
    return ring.min {
      abs($0.exposureTime.nanoseconds - time.nanoseconds)
        < abs($1.exposureTime.nanoseconds - time.nanoseconds)
    }
  }
}

/// When frames came, so that an interruption can be measured.
struct FrameGaps: Sendable {
  /// The arrival of the newest.
  private(set) var latest: MonotonicTime?
  /// The arrival of the first that ended an interruption.
  private(set) var first: MonotonicTime?

  private var awaited: PixelSize?

  mutating func note(_ frame: Frame) {
    latest = frame.arrivalTime
    if first == nil, frame.image.format.size == awaited { first = latest }
  }

  /// An interruption ends with the next frame of this size.
  mutating func startOver(awaiting size: PixelSize) { (first, awaited) = (nil, size) }
}

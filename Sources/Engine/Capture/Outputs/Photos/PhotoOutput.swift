public import Imagery
public import System

/// Takes photos with zero shutter lag: it keeps the latest frames, and the photo is made of the frame nearest to the press, which
/// may have been exposed before the press. Captures overlap; each is answered exactly once, with a photo or an error.
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
  /// The number of frames to keep; each is a buffer that the driver cannot fill meanwhile.
  static let ringDepth = 2
  /// The largest number of photos that may wait for their frame at once. The limit also applies separately to photos that wait to be made, to
  /// deferred photos, and to bursts.
  public static let pendingLimit = 16
  /// The largest number of unread photos of a burst; at this limit the burst takes no frame.
  public static let unreadLimit = 32
  /// The largest number of burst frames that wait to become photos. A burst slower than the camera takes its next frame when one of them is done.
  static let burstDepth = 4

  struct State {
    var ring: [Frame] = []
    var interval = Duration.zero
    var requests: [PhotoRequest] = []
    var bursts: [PhotoBurst] = []
    /// The reason why there is no picture; nil again with the next frame.
    var outage: SessionError?
    /// The arrival times of frames.
    var gaps = FrameGaps()
  }

  let state = Locked(State())
  private let worker: OutputWorker<PhotoJob>
  private let finisher: OutputWorker<PhotoJob>
  private let lock = Locked<Rotation?>(nil)

  /// - Parameters:
  ///   - makeProcessor: makes the processor that turns frames into photos. Called once for each of the output's two threads; the second thread
  ///     begins with the first deferred photo. The default fails for a frame that is damaged or cut short, so no such photo is delivered.
  ///   - wallTime: nanoseconds since 1970 began in UTC, for the photos' metadata; nil, the default, uses the system's time.
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

  /// Makes a deferred photo. The frame's memory is copied, so that the camera does not wait for the photo.
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
    // The finisher's thread begins with the first deferred photo.
    do throws(ResourceShortage) { try finisher.begin() } catch {
      return later.answer.give(.failure(error))
    }
    if !finisher.offer(PhotoJob(frame: frame, request: request)) {
      later.answer.give(.failure(SessionError.tooManyPhotos(limit: PhotoOutput.pendingLimit)))
    }
  }

  /// The device angle for which photos are turned, whatever the real angle is; nil, the default, follows the device. Takes effect
  /// on the next frame; a photo is made of one of the latest two.
  public var angleLock: Rotation? {
    get { lock.withLock { $0 } }
    set { lock.withLock { $0 = newValue } }
  }

  /// The number of requested photos whose frame has not come yet, without those of bursts.
  public var waitingCount: Int { state.withLock { $0.requests.count } }

  // MARK: Requests

  /// Waits for the answer to a request that was entered with `begin`. Throws `SessionError` if the wait is interrupted, `ImageError` if
  /// the picture cannot be processed, and `CancellationError` at once if the task is cancelled.
  func answer(to request: PhotoRequest) async throws -> CapturedPhoto {
    try await withTaskCancellationHandler {
      try await request.answer.value()
    } onCancel: {
      request.answer.give(.failure(CancellationError()))
      request.later?.answer.give(.failure(CancellationError()))
      state.withLock { $0.requests.removeAll { $0.answer === request.answer } }
    }
  }

  /// Ends the request with this error, unless it has been answered.
  func abandon(_ request: PhotoRequest, because error: SessionError) {
    request.answer.give(.failure(error))
    state.withLock { $0.requests.removeAll { $0.answer === request.answer } }
  }

  /// Enters the request, which gets a frame that was kept, or a later one. The session
  /// calls this in the same step in which it found that there is a picture.
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

  /// Enters the burst: its first shot is of the frame nearest to the press, the others are of the frames that follow.
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

  /// Keeps the frame as one of the latest two, and passes it to waiting requests. The session calls it.
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

  /// Fails every capture that still waits for its frame. Captures that have a frame are finished.
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

  /// Ends the photo threads, after finishing deferred photos; waiting requests fail with `captureCancelled`. The session calls it.
  public func end() {
    fail(with: .captureCancelled)
    worker.end()
    finisher.end()
  }
}

extension PhotoOutput.State {
  mutating func keep(_ frame: Frame) {
    outage = nil
    gaps.note(frame)
    if let last = ring.last { interval = frame.exposureTime - last.exposureTime }
    ring.append(frame)
    if ring.count > PhotoOutput.ringDepth { ring.removeFirst() }
    bursts.removeAll { $0.isOver }
  }

  /// Removes and returns the requests whose frame has arrived.
  mutating func takeReady() -> [(Frame, PhotoRequest)] {
    let waiting = requests
    requests = []
    return waiting.compactMap { request in
      if let frame = nearest(to: request) { return (frame, request) }
      requests.append(request)
      return nil
    }
  }

  /// The kept frame nearest to the press; for a request that accepts only some frames, the newest that it accepts.
  func nearest(to request: PhotoRequest) -> Frame? {
    guard let accepts = request.accepts else { return nearest(to: request.pressed) }
    return ring.last { $0.exposureTime >= request.pressed && accepts($0) }
  }

  /// The kept frame nearest to `time`; nil while a nearer frame may still come.
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

/// The arrival times of frames, to measure interruptions.
struct FrameGaps: Sendable {
  /// The arrival of the newest frame.
  private(set) var latest: MonotonicTime?
  /// The arrival of the first frame after the latest interruption; nil before that frame.
  private(set) var first: MonotonicTime?

  private var awaited: PixelSize?

  mutating func note(_ frame: Frame) {
    latest = frame.arrivalTime
    if first == nil, frame.image.format.size == awaited { first = latest }
  }

  /// Begins an interruption, which ends with the next frame of this size.
  mutating func startOver(awaiting size: PixelSize) { (first, awaited) = (nil, size) }
}

public import Imagery
public import Locking

/// A photo, and what is known of how it came about.
public struct CapturedPhoto: Sendable {
  /// The file, and what it was made with.
  public let photo: Photo
  /// What is known of the frame it was made of.
  public let frame: FrameFacts
  /// When the shutter was pressed.
  public let requestedTime: MonotonicTime
  /// When the photo was ready.
  public let finishedTime: MonotonicTime

  /// How far the picture is from the press, before (negative) or after it.
  public var shutterLag: Duration { frame.exposureTime - requestedTime }
}

/// Frame → photo: `PhotoPipeline`, or in a test something that fails on purpose.
public protocol PhotoProcessing {
  /// One photo of one frame. Called on the photo thread, and never twice at once.
  /// - Parameters:
  ///   - image: the frame as the camera delivered it, in any pixel format.
  ///   - orientation: stored pixels → upright.
  ///   - settings: what was asked for.
  /// - Throws: what `capturePhoto` then throws.
  func process(_ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings) throws(ImageError)
    -> Photo
}

extension PhotoPipeline: PhotoProcessing {}

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
  /// Photos that may be under way at once.
  public static let pendingLimit = 16

  fileprivate struct Request {
    let pressed: MonotonicTime
    let settings: PhotoSettings
    let answer: PhotoAnswer
  }

  private struct Job: Sendable {
    let frame: Frame
    let request: Request
  }

  fileprivate struct State {
    var ring: [Frame] = []
    var interval = Duration.zero
    var requests: [Request] = []
    /// Why there is no picture; nil again with the next frame.
    var outage: SessionError?
  }

  private let state = Locked(State())
  private let worker: OutputWorker<Job>
  private let clock: any CaptureClock
  private let lock = Locked<Rotation?>(nil)

  /// - Parameter makeProcessor: makes what turns frames into photos; called once. The default fails for a frame that is damaged or cut short, so
  ///   that no such photo is handed out.
  public init(
    clock: any CaptureClock = SystemClock(),
    makeProcessor: @Sendable () -> any PhotoProcessing = { PhotoPipeline(damage: .refuse) }
  ) {
    let darkroom = Darkroom(processor: makeProcessor())
    self.clock = clock
    worker = OutputWorker(
      name: "photo", clock: clock, capacity: PhotoOutput.pendingLimit, overflow: .refuse
    ) { job in
      let (frame, request) = (job.frame, job.request)
      guard request.answer.isAwaited else { return }
      request.answer.give(
        Result {
          let photo = try darkroom.develop(frame, settings: request.settings)
          return CapturedPhoto(
            photo: photo, frame: FrameFacts(frame), requestedTime: request.pressed, finishedTime: clock.now())
        })
    }
  }

  /// Photos are turned as if the device were held at this angle, whatever it is held at; nil, the default, follows it. Takes effect
  /// on the next frame; a photo is of one of the latest two.
  public var angleLock: Rotation? {
    get { lock.withLock { $0 } }
    set { lock.withLock { $0 = newValue } }
  }

  /// Photos asked for whose frame has not come yet.
  public var waitingCount: Int { state.withLock { $0.requests.count } }

  /// The frame nearest to `pressed`, as a photo. Waits that were interrupted throw `SessionError`, pictures that cannot be
  /// processed `ImageError`, and a task that is cancelled `CancellationError`, at once.
  func capture(_ settings: PhotoSettings, pressed: MonotonicTime) async throws -> CapturedPhoto {
    let request = Request(pressed: pressed, settings: settings, answer: PhotoAnswer())
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if request.answer.isOpen(to: continuation) { begin(request) }
      }
    } onCancel: {
      let waiting = request.answer.close(with: .failure(CancellationError()))
      state.withLock { $0.requests.removeAll { $0.answer === request.answer } }
      waiting?.resume(throwing: CancellationError())
    }
  }

  private func begin(_ request: Request) {
    let (frame, refusal): (Frame?, SessionError?) = state.withLock { state in
      if let outage = state.outage { return (nil, outage) }
      if let frame = state.nearest(to: request.pressed) { return (frame, nil) }
      guard state.requests.count < PhotoOutput.pendingLimit else {
        return (nil, .tooManyPhotos(limit: PhotoOutput.pendingLimit))
      }
      // Cancelled by now, it would wait for ever.
      if request.answer.isAwaited { state.requests.append(request) }
      return (nil, nil)
    }
    if let refusal { return request.answer.give(.failure(refusal)) }
    if let frame { develop(frame, for: request) }
  }

  /// Keeps the frame, as one of the latest two, and gives it to the presses that wait for it; the session calls it.
  public func receive(_ frame: Frame) {
    let ready: [(Frame, Request)] = state.withLock { state in
      state.outage = nil
      if let last = state.ring.last { state.interval = frame.exposureTime - last.exposureTime }
      state.ring.append(frame)
      if state.ring.count > PhotoOutput.ringDepth { state.ring.removeFirst() }
      guard !state.requests.isEmpty else { return [] }
      let requests = state.requests
      state.requests = []
      return requests.compactMap { request in
        if let frame = state.nearest(to: request.pressed) { return (frame, request) }
        state.requests.append(request)
        return nil
      }
    }
    for (frame, request) in ready { develop(frame, for: request) }
  }

  private func develop(_ frame: Frame, for request: Request) {
    if !worker.offer(Job(frame: frame, request: request)) {
      request.answer.give(.failure(SessionError.tooManyPhotos(limit: PhotoOutput.pendingLimit)))
    }
  }

  /// Every capture still waiting for its frame fails with `error`. Those that have it are finished.
  func fail(with error: SessionError) {
    let requests = state.withLock { state in
      defer { (state.requests, state.ring, state.outage) = ([], [], error) }
      return state.requests
    }
    for request in requests { request.answer.give(.failure(error)) }
  }

  /// Starts the photo thread; the session calls it.
  public func begin() throws(ResourceShortage) { try worker.begin() }

  /// Ends the photo thread; presses that still wait fail with `captureCancelled`. The session calls it.
  public func end() {
    fail(with: .captureCancelled)
    worker.end()
  }
}

extension PhotoOutput.State {
  /// The kept frame nearest to `time`; nil while a nearer one is still to come.
  fileprivate func nearest(to time: MonotonicTime) -> Frame? {
    guard let latest = ring.last else { return nil }
    let isDecided = latest.exposureTime >= time || (time - latest.exposureTime) * 2 <= interval
    guard isDecided else { return nil }
    return ring.min {
      abs($0.exposureTime.nanoseconds - time.nanoseconds)
        < abs($1.exposureTime.nanoseconds - time.nanoseconds)
    }
  }
}

/// The one answer that a press of the shutter gets: the first that is given.
private final class PhotoAnswer: Sendable {
  private struct State {
    var continuation: CheckedContinuation<CapturedPhoto, any Error>?
    /// Given before anybody waited.
    var early: Result<CapturedPhoto, any Error>?
    var isGiven = false
  }

  private let state = Locked(State())

  var isAwaited: Bool { state.withLock { !$0.isGiven } }

  /// - Returns: false when it has been given already.
  func isOpen(to continuation: CheckedContinuation<CapturedPhoto, any Error>) -> Bool {
    let early: Result<CapturedPhoto, any Error>? = state.withLock { state in
      if !state.isGiven { state.continuation = continuation }
      return state.early
    }
    if let early { continuation.resume(with: early) }
    return early == nil
  }

  func give(_ result: Result<CapturedPhoto, any Error>) { close(with: result)?.resume(with: result) }

  /// This is the answer, unless there was one.
  /// - Returns: who is to be given it now, if anybody.
  func close(with result: Result<CapturedPhoto, any Error>) -> CheckedContinuation<CapturedPhoto, any Error>?
  {
    state.withLock { state -> CheckedContinuation<CapturedPhoto, any Error>? in
      guard !state.isGiven else { return nil }
      state.isGiven = true
      if state.continuation == nil { state.early = result }
      return state.continuation.take()
    }
  }
}

/// The work of the photo thread.
///
/// `@unchecked Sendable`: made before the thread begins, then used by that thread alone.
private final class Darkroom: @unchecked Sendable {
  private let processor: any PhotoProcessing

  init(processor: any PhotoProcessing) { self.processor = processor }

  func develop(_ frame: Frame, settings: PhotoSettings) throws(ImageError) -> Photo {
    try processor.process(frame.image, orientation: frame.orientation.capture, settings: settings)
  }
}

public import Imagery
import Locking

/// A photo, and what is known of how it came about.
public struct CapturedPhoto: Sendable {
  public let photo: Photo
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
  func process(_ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings) throws(ImageError)
    -> Photo
}

extension PhotoPipeline: PhotoProcessing {}

/// Takes photos with zero shutter lag: it keeps the latest frames, and the photo is the one nearest to the press, which
/// may be before it. Captures overlap; each is answered exactly once, with a photo or the reason why there is none.
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
    let answer: Answer
  }

  private struct Job: Sendable {
    let frame: Frame
    let pressed: MonotonicTime
    let settings: PhotoSettings
    let answer: Answer
  }

  fileprivate struct State {
    var ring: [Frame] = []
    var interval = Duration.zero
    var requests: [Request] = []
    /// Why there is no picture; nil again with the next frame.
    var outage: SessionError?
  }

  typealias Answer = @Sendable (Result<CapturedPhoto, any Error>) -> Void

  private let state = Locked(State())
  private let worker: OutputWorker<Job>
  private let clock: any CaptureClock

  /// - Parameter makeProcessor: makes what turns frames into photos; called once.
  public init(
    clock: any CaptureClock = SystemClock(),
    makeProcessor: @Sendable () -> any PhotoProcessing = { PhotoPipeline() }
  ) {
    let darkroom = Darkroom(processor: makeProcessor())
    self.clock = clock
    worker = OutputWorker(
      name: "photo", clock: clock, capacity: PhotoOutput.pendingLimit, overflow: .refuse
    ) { job in
      job.answer(
        Result {
          let photo = try darkroom.develop(job.frame, settings: job.settings)
          return CapturedPhoto(
            photo: photo, frame: FrameFacts(job.frame), requestedTime: job.pressed, finishedTime: clock.now())
        })
    }
  }

  /// Photos asked for whose frame has not come yet.
  public var waitingCount: Int { state.withLock { $0.requests.count } }

  /// The frame nearest to `pressed`, as a photo. Cancelled or interrupted waits throw `SessionError`, pictures that
  /// cannot be processed `ImageError`.
  func capture(_ settings: PhotoSettings, pressed: MonotonicTime) async throws -> CapturedPhoto {
    try await withCheckedThrowingContinuation { continuation in
      request(settings, pressed: pressed) { continuation.resume(with: $0) }
    }
  }

  private func request(_ settings: PhotoSettings, pressed: MonotonicTime, answer: @escaping Answer) {
    let request = Request(pressed: pressed, settings: settings, answer: answer)
    let (frame, refusal): (Frame?, SessionError?) = state.withLock { state in
      if let outage = state.outage { return (nil, outage) }
      if let frame = state.nearest(to: pressed) { return (frame, nil) }
      guard state.requests.count < PhotoOutput.pendingLimit else {
        return (nil, .tooManyPhotos(limit: PhotoOutput.pendingLimit))
      }
      state.requests.append(request)
      return (nil, nil)
    }
    if let refusal { return answer(.failure(refusal)) }
    if let frame { develop(frame, for: request) }
  }

  func receive(_ frame: Frame) {
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
    let job = Job(
      frame: frame, pressed: request.pressed, settings: request.settings, answer: request.answer)
    if !worker.offer(job) {
      request.answer(.failure(SessionError.tooManyPhotos(limit: PhotoOutput.pendingLimit)))
    }
  }

  /// Every capture still waiting for its frame fails with `error`. Those that have it are finished.
  func fail(with error: SessionError) {
    let requests = state.withLock { state in
      defer { (state.requests, state.ring, state.outage) = ([], [], error) }
      return state.requests
    }
    for request in requests { request.answer(.failure(error)) }
  }

  func begin() throws(ResourceShortage) { try worker.begin() }

  func end() {
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

package import Capture
import Imagery
import System

/// A camera with a delay between the start of the stream and the first exposure, like real devices and unlike played ones.
package struct SlowSource: CameraSource {
  let base: any CameraSource
  let delay: Duration

  package init(base: any CameraSource, delay: Duration) {
    self.base = base
    self.delay = delay
  }

  package var specification: String { base.specification }

  package func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    SlowCamera(base: try base.makeCamera(clock: clock), delay: delay, clock: clock)
  }
}

final class SlowCamera: Camera {
  private let base: any Camera
  private let clock: any CaptureClock
  /// The delay from the next start on.
  var delay: Duration
  /// The time at which `base` must be started. Nil if no start is pending.
  private var due: MonotonicTime?

  init(base: any Camera, delay: Duration, clock: any CaptureClock) {
    self.base = base
    self.delay = delay
    self.clock = clock
  }

  func open() throws(CameraError) -> CameraDescription { try base.open() }
  func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat { try base.prepare(format) }

  func start() throws(CameraError) {
    due = delay > .zero ? clock.now() + delay : nil
    if due == nil { try base.start() }
  }

  func stop() { base.stop() }
  func close() { base.close() }

  func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool {
    base.awaitReturn(after: reason, wake: wake)
  }

  func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
    if let due {
      if clock.wait(until: min(due, deadline), wake: wake) { return .woken }
      if due > deadline { return .timedOut }
      self.due = nil
      try base.start()
    }
    return try base.next(until: deadline, wake: wake)
  }
}

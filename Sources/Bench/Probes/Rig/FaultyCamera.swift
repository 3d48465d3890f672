import Capture
import Imagery
import System

/// A source whose cameras have a fault. It wraps a source without faults.
struct FaultySource: CameraSource {
  let base: any CameraSource
  let fault: InjectedFault

  var specification: String { base.specification }

  func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    FaultyCamera(base: try base.makeCamera(clock: clock), fault: fault, clock: clock)
  }
}

final class FaultyCamera: Camera {
  private let base: SlowCamera
  private let fault: InjectedFault
  private let clock: any CaptureClock
  private var previous: PixelBuffer?
  private var count = 0
  private var wasInterrupted = false
  /// Frames held back by `delaysFrames`, with the times at which they are due.
  private var held: [(due: MonotonicTime, image: CapturedImage)] = []
  private var hasEnded = false
  /// Whether the camera was closed on purpose, and not because it was lost.
  private var wasLetGo = false
  private var wasOpen = false
  /// Under `slowsRecovery`: the first frame after an interruption, and the time at which this frame is delivered.
  private var late: (due: MonotonicTime, event: CameraEvent)?
  private var isComingBack = false

  init(base: any Camera, fault: InjectedFault, clock: any CaptureClock) {
    self.base = SlowCamera(base: base, delay: .zero, clock: clock)
    self.fault = fault
    self.clock = clock
  }

  func open() throws(CameraError) -> CameraDescription {
    takeTime()
    var description = try base.open()
    wasOpen = true
    if fault == .mirrors { description.mount.orientation.isMirrored.toggle() }
    if fault == .takesFirstFormat { description.formats = Array(description.formats.prefix(1)) }
    return description
  }

  /// Lets time pass during opening. In virtual time nobody could advance it meanwhile, so there the first exposure after an absence is delayed
  /// instead; the duration of a start is not measured in virtual time.
  private func takeTime() {
    let isBack = fault == .slowsForeground && wasLetGo
    let returning = isBack ? InjectedFault.lateForeground : wasOpen ? fault.reopening : .zero
    if clock is VirtualClock {
      base.delay = returning
      return
    }
    let duration = returning + fault.opening
    guard duration > .zero, let wake = try? WakeSignal() else { return }
    _ = clock.wait(until: clock.now() + duration, wake: wake)
  }

  func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat { try base.prepare(format) }
  func start() throws(CameraError) { try base.start() }

  func stop() {
    held = []
    late = nil
    isComingBack = false
    if fault != .staysOpen { base.stop() }
  }

  func close() {
    wasLetGo = true
    if fault != .staysOpen { base.close() }
  }

  func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool {
    wasInterrupted = true
    wasLetGo = false
    return base.awaitReturn(after: reason, wake: wake)
  }

  func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
    if case .delaysFrames(let delay) = fault { return try nextDelayed(delay, until: deadline, wake: wake) }
    if let late { return tell(late, until: deadline, wake) }
    let event = try base.next(until: deadline, wake: wake)
    switch (fault, event) {
    case (.slowsRecovery, .interruptionEnded):
      isComingBack = true
      return event
    case (.slowsRecovery, .frame) where isComingBack:
      late = (clock.now() + fault.reopening, event)
      isComingBack = false
      return .woken
    case (.swapsRotation, .attitude(let degrees, let time)):
      return .attitude(degrees: Self.swapped(degrees), time: time)
    case (.repeatsFrames, .frame(let image)): return .frame(repeated(image))
    case (.neverResumes, .interrupted):
      wasInterrupted = true
      return event
    case (.neverResumes, .frame), (.neverResumes, .interruptionEnded):
      return wasInterrupted ? .woken : event
    default: return event
    }
  }

  /// Waits until the first frame after an interruption is due, and returns it. Later frames wait in the camera.
  private func tell(
    _ held: (due: MonotonicTime, event: CameraEvent), until deadline: MonotonicTime, _ wake: WakeSignal
  ) -> CameraEvent {
    if clock.wait(until: min(held.due, deadline), wake: wake) { return .woken }
    guard held.due <= clock.now() else { return .timedOut }
    late = nil
    return held.event
  }

  /// Exchanges 90 and 270, and the angles in between accordingly.
  private static func swapped(_ degrees: Double) -> Double { 360 - degrees }

  private func repeated(_ image: CapturedImage) -> CapturedImage {
    count += 1
    var image = image
    if count % 10 == 0, let previous { image.image = previous }
    previous = image.image
    return image
  }

  /// Delivers frames through a queue in front of the camera: each is held until `delay` after it came.
  private func nextDelayed(
    _ delay: Duration, until deadline: MonotonicTime, wake: WakeSignal
  ) throws(CameraError) -> CameraEvent {
    while true {
      if let first = held.first, first.due <= clock.now() {
        held.removeFirst()
        return .frame(first.image)
      }
      let limit = min(deadline, held.first?.due ?? deadline)
      if hasEnded {
        if held.isEmpty { return .ended }
        if clock.wait(until: limit, wake: wake) { return .woken }
        continue
      }
      let event = try base.next(until: limit, wake: wake)
      switch event {
      case .frame(let image): held.append((clock.now() + delay, image))
      case .ended: hasEnded = true
      case .timedOut where !held.isEmpty && clock.now() < deadline: continue
      case .damagedFrame, .attitude, .controlsChanged, .interrupted, .interruptionEnded, .woken, .timedOut:
        return event
      }
    }
  }
}

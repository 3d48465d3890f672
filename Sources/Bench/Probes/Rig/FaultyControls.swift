import Capture
import Imagery
import System

/// A source whose cameras have faulty controls. It wraps a source without faults.
struct FaultyControlsSource: CameraSource {
  let base: any CameraSource
  let fault: InjectedFault

  var specification: String { base.specification }

  func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    let camera = try base.makeCamera(clock: clock)
    guard let operable = camera as? any OperableCamera else { return camera }
    return FaultyControlsCamera(base: operable, fault: fault)
  }
}

final class FaultyControlsCamera: OperableCamera {
  private let base: any OperableCamera
  private let fault: InjectedFault
  /// Number of sets since the camera was opened.
  private var sets = 0
  /// Values that are read back although they were not applied.
  private var pretended: [CameraControl: CameraControlValue] = [:]

  init(base: any OperableCamera, fault: InjectedFault) {
    self.base = base
    self.fault = fault
  }

  func open() throws(CameraError) -> CameraDescription {
    sets = 0
    pretended = [:]
    return try base.open()
  }

  func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat { try base.prepare(format) }
  func start() throws(CameraError) { try base.start() }
  func stop() { base.stop() }
  func close() { base.close() }

  func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool {
    base.awaitReturn(after: reason, wake: wake)
  }

  func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
    let event = try base.next(until: deadline, wake: wake)
    guard case .frame(var image) = event else { return event }
    switch fault {
    case .mistellsZoom: image.settings?.zoom = 1
    case .forgetsControls:
      // The device reports the requested values, not the applied ones.
      if let time = pretended[.exposureDuration]?.number { image.settings?.exposureDuration = time }
      if let iso = pretended[.iso]?.number { image.settings?.iso = iso }
      if let bias = pretended[.exposureBias]?.number { image.settings?.exposureBias = bias }
      image.settings?.isSettled = true
    default: break
    }
    return .frame(image)
  }

  func capabilities() -> [CameraControlCapability] { base.capabilities() }
  var framesUntilSettled: Int { base.framesUntilSettled }

  func values(of controls: [CameraControl]) -> [CameraControl: CameraControlValue] {
    base.values(of: controls).merging(pretended.filter { controls.contains($0.key) }) { $1 }
  }

  func set(_ values: [(control: CameraControl, value: CameraControlValue)]) -> [CameraControlResult] {
    sets += 1
    switch fault {
    case .exaggeratesISO: return exaggerated(values)
    case .forgetsControls where sets == 1: return pretend(values)
    case .forgetsControls:
      // Later settings are applied and reported correctly.
      for (control, _) in values { pretended[control] = nil }
      return base.set(values)
    case .wandersInFocus: return wandering(values)
    case .losesTilt: return skipping(values) { control, _ in control == .tilt || control == .tiltSpeed }
    case .missesStops:
      return skipping(values) { control, value in
        (control == .panSpeed || control == .tiltSpeed) && value == .number(0)
      }
    default: return base.set(values)
    }
  }

  /// Reports success for all values, and skips some of them.
  private func skipping(
    _ values: [(control: CameraControl, value: CameraControlValue)],
    where isLost: (CameraControl, CameraControlValue) -> Bool
  ) -> [CameraControlResult] {
    let kept = values.filter { !isLost($0.control, $0.value) }
    let answers = Dictionary(base.set(kept).map { ($0.control, $0) }) { $1 }
    return values.map {
      answers[$0.control] ?? CameraControlResult($0.control, wanted: $0.value, took: $0.value)
    }
  }

  /// Moves the sensitivity twice as far from its present value as requested, in stops.
  private func exaggerated(
    _ values: [(control: CameraControl, value: CameraControlValue)]
  ) -> [CameraControlResult] {
    let present = base.values(of: [.iso])[.iso]?.number ?? 0
    let changed = values.map { control, value in
      guard control == .iso, let iso = value.number, present > 0, values.count == 1 else {
        return (control, value)
      }
      return (control, CameraControlValue.number(iso * iso / present))
    }
    return base.set(changed.map { (control: $0.0, value: $0.1) })
  }

  private func pretend(
    _ values: [(control: CameraControl, value: CameraControlValue)]
  ) -> [CameraControlResult] {
    for (control, value) in values { pretended[control] = value }
    return values.map { CameraControlResult($0.control, wanted: $0.value, took: $0.value) }
  }

  /// Reports the lens as locked, and continues to search for the focus.
  private func wandering(
    _ values: [(control: CameraControl, value: CameraControlValue)]
  ) -> [CameraControlResult] {
    let others = values.filter { $0.control != .focusMode && $0.control != .lensPosition }
    let focus = values.filter { $0.control == .focusMode || $0.control == .lensPosition }
    guard focus.contains(where: { $0.value == .choice("locked") || $0.control == .lensPosition }) else {
      pretended[.focusMode] = nil
      return base.set(values)
    }
    _ = base.set([(control: .focusMode, value: .choice("continuous"))])
    pretended[.focusMode] = .choice("locked")
    let answers = Dictionary(base.set(others).map { ($0.control, $0) }) { $1 }
    return values.map {
      answers[$0.control] ?? CameraControlResult($0.control, wanted: $0.value, took: $0.value)
    }
  }
}

extension InjectedFault {
  /// Whether the fault is one of a camera's controls.
  var isOfControls: Bool {
    switch self {
    case .exaggeratesISO, .forgetsControls, .wandersInFocus, .mistellsZoom, .losesTilt, .missesStops: true
    default: false
    }
  }
}

import Capture
import Imagery
import System

/// A camera with controls that delivers grey pictures in virtual time. Tests set its behaviour and its faults.
final class OperatedSource: CameraSource {
  /// The device. Its settings outlive the camera that opened it.
  struct Device {
    var values: [CameraControl: CameraControlValue] = [
      .exposureMode: .choice("auto"), .exposureDuration: .number(0.01), .iso: .number(200),
      .exposureBias: .number(0), .whiteBalanceMode: .choice("auto"), .whiteBalanceTemperature: .number(5000),
      .focusMode: .choice("continuous"), .lensPosition: .number(0.5), .focusPoint: .point(x: 0.5, y: 0.5),
      .focusStatus: .choice("reached"), .zoom: .number(1), .torch: .number(0), .stabilization: .flag(false),
      .exposureTargetOffset: .number(0),
    ]
    var capabilities: [CameraControlCapability] = OperatedSource.usual
    /// The values of each call of `set`, with its time.
    var calls: [(time: MonotonicTime, values: [CameraControl: CameraControlValue])] = []
    /// The values that the device sets at each start of the stream.
    var afterStart: [CameraControl: CameraControlValue] = [:]
    var ignored: Set<CameraControl> = []
    /// The greatest number that the device accepts for a control, whatever its capability says.
    var ends: [CameraControl: Double] = [:]
    var starts = 0
    /// Whether frames report their exposure settings.
    var tellsSettings = false
    /// The light, in EV above the light for 1/100 s at ISO 200.
    var light = 0.0
    /// The number of frames until a setting takes effect.
    var delay = 0
    /// Whether the device is unplugged. Takes effect at the next `open` or `next`.
    var isUnplugged = false
  }

  static let usual: [CameraControlCapability] = [
    CameraControlCapability(.exposureMode, choices: ["auto", "manual"]),
    CameraControlCapability(.exposureDuration, 0.0001...0.1, step: 0.0001, unit: .seconds),
    CameraControlCapability(.iso, 10...6400, unit: .iso),
    CameraControlCapability(.exposureBias, -2...2, step: 0.1, unit: .ev),
    CameraControlCapability(.whiteBalanceMode, choices: ["auto", "manual"]),
    CameraControlCapability(.whiteBalanceTemperature, 2800...6500, step: 10, unit: .kelvin),
    CameraControlCapability(.focusMode, choices: ["continuous", "single", "locked"]),
    CameraControlCapability(.lensPosition, 0...1),
    CameraControlCapability(.focusPoint),
    CameraControlCapability(.focusStatus, choices: ["idle", "busy", "reached"]),
    CameraControlCapability(.zoom, 1...2, step: 0.5, unit: .factor), CameraControlCapability(.torch, 0...1),
    CameraControlCapability(.stabilization),
    CameraControlCapability(.exposureTargetOffset, -10...10, unit: .ev),
  ]

  let specification: String
  let interval: FrameInterval
  let device: Locked<Device>

  init(_ name: String = "operated", framesPerSecond: Int = 50, _ configure: (inout Device) -> Void = { _ in })
  {
    specification = name
    interval = FrameInterval(framesPerSecond: framesPerSecond)
    var device = Device()
    configure(&device)
    self.device = Locked(device)
  }

  func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    OperatedCamera(self, clock: clock)
  }

  subscript(control: CameraControl) -> CameraControlValue? {
    get { device.withLock { $0.values[control] } }
    set { device.withLock { $0.values[control] = newValue } }
  }

  /// Returns each value that a control was set to, with its time.
  func sets(of control: CameraControl) -> [(time: MonotonicTime, value: CameraControlValue)] {
    device.withLock { $0.calls.compactMap { call in call.values[control].map { (call.time, $0) } } }
  }
}

final class OperatedCamera: OperableCamera {
  private let source: OperatedSource
  private let clock: any CaptureClock
  private let picture: PixelBuffer?
  private var sequence: UInt32 = 0
  private var due: MonotonicTime?
  /// The exposure settings of the last frames, newest first.
  private var past: [[CameraControl: CameraControlValue]] = []

  init(_ source: OperatedSource, clock: any CaptureClock) {
    (self.source, self.clock) = (source, clock)
    let size = PixelSize(width: 64, height: 64)
    picture = try? PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .grey, size: size, color: ColorDescription(matrix: .bt601, range: .full)))
  }

  private var format: CameraFormat {
    CameraFormat(
      image: ImageFormat(
        pixelFormat: .grey, size: PixelSize(width: 64, height: 64),
        color: ColorDescription(matrix: .bt601, range: .full)), frameInterval: source.interval)
  }

  func open() throws(CameraError) -> CameraDescription {
    if source.device.withLock({ $0.isUnplugged }) { throw .disconnected(source.specification) }
    return CameraDescription(
      kind: CameraDescription.Kind(rawValue: "operated"), name: source.specification, driver: "test", bus: "",
      formats: [format], mount: SensorMount())
  }

  func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat { self.format }

  func start() throws(CameraError) {
    due = clock.now() + source.interval.duration
    source.device.withLock { device in
      device.starts += 1
      for (control, value) in device.afterStart { device.values[control] = value }
    }
  }

  func stop() {}
  func close() {}

  func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool {
    !clock.wait(until: clock.now() + .milliseconds(20), wake: wake)
  }

  func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
    guard let due, let picture else { return .ended }
    if source.device.withLock({ $0.isUnplugged }) { throw .disconnected(source.specification) }
    if due > clock.now() {
      let isFirst = due <= deadline
      if clock.wait(until: isFirst ? due : deadline, wake: wake) { return .woken }
      if !isFirst { return .timedOut }
    }
    sequence += 1
    self.due = due + source.interval.duration
    let settings = expose()
    return .frame(
      CapturedImage(
        image: picture, sequence: sequence, exposureTime: due.advanced(by: .zero - source.interval.duration),
        exposureEdge: .startOfExposure, settings: settings))
  }

  /// Exposes a frame with the settings of `delay` frames ago, and updates the device's offset from the right exposure.
  private func expose() -> FrameSettings? {
    source.device.withLock { device in
      past.insert(device.values, at: 0)
      let shown = past[min(device.delay, past.count - 1)]
      if past.count > 8 { past.removeLast() }
      var settings = FrameSettings()
      (settings.iso, settings.exposureDuration) = (shown[.iso]?.number, shown[.exposureDuration]?.number)
      if let iso = settings.iso, let duration = settings.exposureDuration {
        let offset = device.light + PhotographicStops.between(iso * duration, 2)
        device.values[.exposureTargetOffset] = .number(offset)
      }
      return device.tellsSettings ? settings : nil
    }
  }

  func capabilities() -> [CameraControlCapability] { source.device.withLock { $0.capabilities } }

  func values(of controls: [CameraControl]) -> [CameraControl: CameraControlValue] {
    source.device.withLock { device in
      Dictionary(controls.compactMap { control in device.values[control].map { (control, $0) } }) {
        first, _ in first
      }
    }
  }

  func set(_ values: [(control: CameraControl, value: CameraControlValue)]) -> [CameraControlResult] {
    let now = clock.now()
    return source.device.withLock { device in
      device.calls.append((now, Dictionary(values.map { ($0.control, $0.value) }) { _, last in last }))
      return values.map { control, value in
        let number = value.number.map { min($0, device.ends[control] ?? .infinity) }
        if !device.ignored.contains(control) {
          device.values[control] = number.map { CameraControlValue.number($0) } ?? value
        }
        return CameraControlResult(control, wanted: value, took: device.values[control])
      }
    }
  }
}

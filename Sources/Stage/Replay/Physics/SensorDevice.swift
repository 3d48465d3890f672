import Capture
import Glibc

/// The settings of a frame's exposure.
struct SensorExposure: Hashable {
  var duration: Double
  var iso: Double
  var temperature: Double
  var tint: Double
  var lensPosition: Double
  var zoom: Double
  var torch: Double
}

/// The electronics and motors of a simulated camera, which turn commands into the exposure settings of each frame.
struct SensorDevice {
  let model: SensorModel
  private(set) var registers: SensorRegisters
  private(set) var automatics: SensorAutomatics
  private(set) var focus: SensorFocus
  private(set) var zoom: Double
  /// The settings of the frame being exposed.
  private(set) var exposure: SensorExposure
  private(set) var frame: UInt32 = 0
  private var isStreaming = false
  private var reading: SensorAutomatics.Reading?
  /// Exposure time and ISO sensitivity at the time of the exposure lock. Nil without a lock.
  private var held: (duration: Double, iso: Double)?
  /// Controls that the device changed by itself since the last query.
  private var changes: Set<CameraControl> = []

  init(_ model: SensorModel) {
    self.model = model
    registers = SensorRegisters(model)
    automatics = SensorAutomatics(model)
    focus = SensorFocus(model)
    zoom = model.zoomRange.lowerBound
    exposure = SensorExposure(
      duration: 0.01, iso: model.isos.lowerBound, temperature: 5000, tint: 0, lensPosition: 1, zoom: zoom,
      torch: 0)
  }

  var isManual: Bool { registers.choice(.exposureMode) == "manual" }

  /// Whether no command is pending, and the automatics have reached their targets.
  var isSettled: Bool {
    let isExposed = isManual || held != nil || abs(automatics.offset) < 0.15
    return !registers.isPending && !focus.isBusy && isExposed && abs(zoom - registers.number(.zoom)) < 1e-9
  }

  /// Starts the stream. Earlier settings apply from the first frame on.
  mutating func start(_ interval: Double) {
    registers.arrive(by: frame)
    takeWhatIsDue()
    changes.formUnion(registers.start())
    isStreaming = true
    begin(frame, interval)
  }

  mutating func stop() { isStreaming = false }

  /// Returns the controls that changed by themselves, without repetitions, and forgets them.
  mutating func takeChanges() -> [CameraControl] {
    defer { changes = [] }
    return changes.sorted()
  }

  mutating func command(_ control: CameraControl, _ value: CameraControlValue) {
    let isExposure = [.exposureMode, .exposureDuration, .iso].contains(control)
    let delay = isStreaming ? (isExposure ? max(model.delay, 1) : 1) : 0
    registers.set(control, value, from: frame &+ UInt32(clamping: delay))
  }

  /// Notes that a frame has been read out.
  mutating func note(_ reading: SensorAutomatics.Reading) {
    self.reading = reading
    focus.see()
    automatics.meter(reading, bias: registers.number(.exposureBias))
  }

  /// Begins the exposure of the next frame.
  mutating func begin(_ frame: UInt32, _ interval: Double) {
    self.frame = frame
    let status = focus.status
    takeWhatIsDue()
    runAutomatics(interval)
    let isByHand = registers.choice(.whiteBalanceMode) == "manual"
    exposure.temperature = isByHand ? registers.number(.whiteBalanceTemperature) : automatics.temperature
    exposure.tint = isByHand ? registers.number(.tint) : automatics.tint
    (exposure.duration, exposure.iso) = shutterAndSpeed(interval)
    focus.move(
      interval, mode: registers.choice(.focusMode), wanted: registers.number(.lensPosition), reading: reading)
    exposure.lensPosition = focus.position
    let most = exp2(model.zoomSpeed * interval)
    zoom = min(max(registers.number(.zoom), zoom / most), zoom * most)
    exposure.zoom = zoom
    exposure.torch = registers.number(.torch)
    if focus.status != status, model.tellsFocusStatus { changes.insert(.focusStatus) }
  }

  private mutating func takeWhatIsDue() {
    let due = registers.advance(to: frame)
    for control in due { wasSet(control, with: due) }
  }

  private mutating func runAutomatics(_ interval: Double) {
    guard let reading else { return }
    if !isManual && held == nil { automatics.expose(reading, longest: longest(interval)) }
    if registers.choice(.whiteBalanceMode) != "manual" && !registers.flag(.whiteBalanceLock) {
      automatics.balance(reading)
    }
  }

  private func longest(_ interval: Double) -> Double { min(interval, model.durations.upperBound) }

  private func shutterAndSpeed(_ interval: Double) -> (Double, Double) {
    if let held { return (min(held.duration, longest(interval)), held.iso) }
    guard isManual else { return (automatics.duration, automatics.iso) }
    return (min(registers.number(.exposureDuration), longest(interval)), registers.number(.iso))
  }

  /// Applies the side effects of a value: a manual value ends the automatic mode, and the other values of that mode keep their present state.
  private mutating func wasSet(_ control: CameraControl, with due: [CameraControl]) {
    func keep(_ others: [CameraControl: CameraControlValue]) {
      for (other, value) in others where !due.contains(other) { registers.change(other, to: value) }
    }
    switch control {
    case .exposureLock where registers.flag(control): held = (exposure.duration, exposure.iso)
    case .exposureLock: held = nil
    case .exposureMode where !isManual: automatics.follow(duration: exposure.duration, iso: exposure.iso)
    case .exposureMode: keep([.exposureDuration: .number(exposure.duration), .iso: .number(exposure.iso)])
    case .exposureDuration where !isManual:
      keep([.exposureMode: .choice("manual"), .iso: .number(exposure.iso)])
    case .iso where !isManual:
      keep([.exposureMode: .choice("manual"), .exposureDuration: .number(exposure.duration)])
    case .whiteBalanceMode where registers.choice(control) == "manual":
      keep([.whiteBalanceTemperature: .number(exposure.temperature), .tint: .number(exposure.tint)])
    case .whiteBalanceTemperature, .tint:
      if registers.choice(.whiteBalanceMode) == "manual" { return }
      keep([.whiteBalanceMode: .choice("manual")])
      keep([.whiteBalanceTemperature: .number(exposure.temperature), .tint: .number(exposure.tint)])
    case .focusMode where registers.choice(control) == "locked":
      keep([.lensPosition: .number(focus.position)])
    case .focusMode where registers.choice(control) == "single", .focusPoint: focus.search()
    case .lensPosition: keep([.focusMode: .choice("locked")])
    default: break
    }
  }
}

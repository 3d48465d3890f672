import Capture

/// The values of a simulated sensor's controls, and the pending commands.
struct SensorRegisters {
  private(set) var values: [CameraControl: CameraControlValue]
  /// Values that are read back although they were not applied.
  private var pretended: [CameraControl: CameraControlValue] = [:]
  private var queue: [(frame: UInt32, control: CameraControl, value: CameraControlValue)] = []
  private let lies: [CameraControl: SensorLie]

  init(_ model: SensorModel) {
    lies = model.lies
    values = [
      .exposureMode: .choice("auto"), .exposureDuration: .number(0.01), .iso: .number(model.isos.lowerBound),
      .exposureBias: .number(0), .exposureLock: .flag(false),
      .whiteBalanceMode: .choice("auto"), .whiteBalanceTemperature: .number(5000), .tint: .number(0),
      .whiteBalanceLock: .flag(false), .focusMode: .choice("continuous"), .lensPosition: .number(1),
      .focusPoint: .point(x: 0.5, y: 0.5), .zoom: .number(model.zoomRange.lowerBound), .torch: .number(0),
      .stabilization: .flag(false), .wideDynamicRange: .flag(false),
    ]
  }

  /// Returns the value that is read back although it was not applied. Nil if there is none.
  func pretence(_ control: CameraControl) -> CameraControlValue? { pretended[control] }

  func number(_ control: CameraControl) -> Double { values[control]?.number ?? 0 }
  func flag(_ control: CameraControl) -> Bool { values[control]?.flag ?? false }
  func choice(_ control: CameraControl) -> String { values[control]?.choice ?? "" }

  /// Whether any command is pending.
  var isPending: Bool { !queue.isEmpty }

  /// Sets a value that takes effect from `frame` on, with the fault of the control.
  mutating func set(_ control: CameraControl, _ value: CameraControlValue, from frame: UInt32) {
    switch lies[control] {
    case .ignores, .fails: return
    case .pretends: pretended[control] = value
    case .clamps(let range):
      guard let number = value.number else { return queue.append((frame, control, value)) }
      queue.append((frame, control, .number(min(max(number, range.lowerBound), range.upperBound))))
    case .delays(let frames): queue.append((frame &+ UInt32(clamping: frames), control, value))
    case .resets, nil: queue.append((frame, control, value))
    }
  }

  /// Changes a register as the device does by itself.
  mutating func change(_ control: CameraControl, to value: CameraControlValue) { values[control] = value }

  /// Applies the commands that are due by this frame.
  /// - Returns: the controls that were set, whether or not they changed.
  mutating func advance(to frame: UInt32) -> [CameraControl] {
    let due = queue.filter { $0.frame <= frame }
    queue.removeAll { $0.frame <= frame }
    for entry in due { values[entry.control] = entry.value }
    return due.map { $0.control }
  }

  /// Makes all pending commands due by `frame`, except those with the fault `delays`: while no frame is exposed, there is nothing to wait for.
  mutating func arrive(by frame: UInt32) {
    for index in queue.indices {
      if case .delays = lies[queue[index].control] { continue }
      queue[index].frame = min(queue[index].frame, frame)
    }
  }

  /// Applies the faults that a start of the stream triggers.
  /// - Returns: the controls that fell back.
  mutating func start() -> [CameraControl] {
    var fallen: [CameraControl] = []
    for (control, lie) in lies {
      guard case .resets(let value) = lie, values[control] != value else { continue }
      values[control] = value
      fallen.append(control)
    }
    return fallen.sorted()
  }

  /// Returns the value that is read back: the last set value, even if it is pending; for a control with the fault `delays`, the present value.
  func latest(_ control: CameraControl) -> CameraControlValue? {
    if case .delays = lies[control] { return values[control] }
    return queue.last { $0.control == control }?.value ?? values[control]
  }
}

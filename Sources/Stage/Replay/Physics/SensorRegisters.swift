import Capture

/// What the controls of a simulated sensor are set to, and what is still on its way to it.
struct SensorRegisters {
  private(set) var values: [CameraControl: CameraControlValue]
  /// Read back for what it is not.
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

  /// What is read back though it is not so; nil for an honest control.
  func pretence(_ control: CameraControl) -> CameraControlValue? { pretended[control] }

  func number(_ control: CameraControl) -> Double { values[control]?.number ?? 0 }
  func flag(_ control: CameraControl) -> Bool { values[control]?.flag ?? false }
  func choice(_ control: CameraControl) -> String { values[control]?.choice ?? "" }

  /// Whether anything is still on its way.
  var isPending: Bool { !queue.isEmpty }

  /// What the driver does with a value that is to hold from `frame` on.
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

  /// A register that the device changes by itself.
  mutating func change(_ control: CameraControl, to value: CameraControlValue) { values[control] = value }

  /// Makes what is due by this frame hold.
  /// - Returns: the controls that were set, whether or not they changed.
  mutating func advance(to frame: UInt32) -> [CameraControl] {
    let due = queue.filter { $0.frame <= frame }
    queue.removeAll { $0.frame <= frame }
    for entry in due { values[entry.control] = entry.value }
    return due.map { $0.control }
  }

  /// While no frame is exposed nothing has to be waited for: all that is on its way holds from `frame` on, but for what lies about its time.
  mutating func arrive(by frame: UInt32) {
    for index in queue.indices {
      if case .delays = lies[queue[index].control] { continue }
      queue[index].frame = min(queue[index].frame, frame)
    }
  }

  /// What a start of the stream does to them.
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

  /// What reads back: the value that was set last, although it may still be on its way; of one that is late, what it had.
  func latest(_ control: CameraControl) -> CameraControlValue? {
    if case .delays = lies[control] { return values[control] }
    return queue.last { $0.control == control }?.value ?? values[control]
  }
}

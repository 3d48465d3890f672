import Glibc
import Imagery
import System

@testable import Capture

/// Random numbers from a seed (SplitMix64), for one thread.
struct Dice {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number in 0..<count.
  mutating func roll(_ count: Int) -> Int { Int(next() % UInt64(count)) }
  /// Returns true with a probability of 1 / `count`.
  mutating func hits(_ count: Int) -> Bool { roll(count) == 0 }
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[roll(elements.count)] }
}

/// The cameras of a history, their faults, and their lent frames.
final class TroubledWorld: Sendable {
  struct State {
    var dice: Dice
    /// The mean number of frames per fault; nil for no faults.
    var odds: Int?
    var open = 0
    var opens = 0
    /// The camera calls that came in a forbidden order.
    var mistakes: [String] = []
  }

  let state: Locked<State>
  let frames = FrameLedger()

  init(seed: UInt64, odds: Int?) { state = Locked(State(dice: Dice(seed), odds: odds)) }

  func roll(_ count: Int) -> Int { state.withLock { $0.dice.roll(count) } }
  func strikes(_ factor: Int = 1) -> Bool {
    state.withLock { state in state.odds.map { state.dice.hits($0 * factor) } ?? false }
  }
  func note(mistake: String) { state.withLock { $0.mistakes.append(mistake) } }
  var mistakes: [String] { state.withLock { $0.mistakes } }
  var openCount: Int { state.withLock { $0.open } }
}

/// Counts frames that are lent and returned.
///
/// `@unchecked Sendable`: the memory is written once, here, and only read afterwards.
final class FrameLedger: PixelBufferLender, @unchecked Sendable {
  private let memory: UnsafeMutableRawPointer
  private let lent = Locked(0)

  init() {
    memory = .allocate(byteCount: 64 * 64, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 90, count: 64 * 64)
  }

  deinit { memory.deallocate() }

  var lentCount: Int { lent.withLock { $0 } }
  func takeBack(_ index: Int) { lent.withLock { $0 -= 1 } }

  func lend(_ format: ImageFormat) -> PixelBuffer {
    lent.withLock { $0 += 1 }
    let plane = Plane(base: memory, bytesPerRow: format.size.width, height: format.size.height)
    return PixelBuffer(format: format, planes: [plane], lender: self)
  }
}

struct TroubledSource: CameraSource {
  let world: TroubledWorld
  let name: String

  var specification: String { "troubled:\(name)" }
  func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    TroubledCamera(world: world, name: specification, clock: clock)
  }
}

/// A camera with 50 frames a second that has every possible fault, and notes calls in a forbidden order.
final class TroubledCamera: OperableCamera {
  private enum Stage { case closed, open, prepared, streaming }

  private let world: TroubledWorld
  private let name: String
  private let clock: any CaptureClock
  private var stage = Stage.closed
  private var format: CameraFormat?
  private var sequence: UInt32 = 0
  private var isInterrupted = false
  private var values: [CameraControl: CameraControlValue] = [
    .exposureMode: .choice("auto"), .exposureDuration: .number(0.01), .iso: .number(100), .zoom: .number(1),
  ]

  init(world: TroubledWorld, name: String, clock: any CaptureClock) {
    (self.world, self.name, self.clock) = (world, name, clock)
  }

  deinit { if stage != .closed { world.note(mistake: "a camera went away open") } }

  private static let formats = [PixelSize(width: 16, height: 16), PixelSize(width: 32, height: 16)].map {
    CameraFormat(
      image: ImageFormat(pixelFormat: .grey, size: $0, color: ColorDescription(matrix: .bt601, range: .full)),
      frameInterval: FrameInterval(framesPerSecond: 50))
  }

  func open() throws(CameraError) -> CameraDescription {
    check([.closed], "open")
    try failSometimes()
    stage = .open
    world.state.withLock { state in
      state.open += 1
      state.opens += 1
    }
    return CameraDescription(
      kind: CameraDescription.Kind(rawValue: "troubled"), name: name, driver: "troubled", bus: "memory",
      formats: Self.formats, mount: SensorMount())
  }

  func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat {
    check([.open, .prepared], "prepare")
    try failSometimes()
    (stage, self.format) = (.prepared, format)
    return format
  }

  func start() throws(CameraError) {
    check([.prepared], "start")
    try failSometimes()
    (stage, isInterrupted) = (.streaming, false)
  }

  private func check(_ allowed: [Stage], _ call: String) {
    if !allowed.contains(stage) { world.note(mistake: "\(call) while \(stage)") }
  }

  private func failSometimes() throws(CameraError) {
    guard world.strikes() else { return }
    throw trouble()
  }

  private func trouble() -> CameraError {
    switch world.roll(12) {
    case 0: .permissionDenied(name)
    case 1...3: .busy(name)
    case 4...7: .disconnected(name)
    default: .failed(name, reason: "a trouble of this history")
    }
  }

  func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
    guard stage == .streaming, let format else {
      world.note(mistake: "next while \(stage)")
      throw .failed(name, reason: "it does not stream")
    }
    if isInterrupted { return pause(until: deadline, wake: wake) }
    // Sometimes the camera is silent for longer than any timeout.
    let interval = world.strikes(4) ? Duration.seconds(20) : format.frameInterval.duration
    let exposure = clock.now()
    let due = exposure + interval
    if clock.wait(until: min(due, deadline), wake: wake) { return .woken }
    if due > deadline { return .timedOut }
    sequence &+= 1
    if world.strikes() { return try incident(exposure) }
    return .frame(
      CapturedImage(
        image: world.frames.lend(format.image), sequence: sequence, exposureTime: exposure,
        exposureEdge: .startOfExposure))
  }

  private func pause(until deadline: MonotonicTime, wake: WakeSignal) -> CameraEvent {
    let due = clock.now() + .milliseconds(world.roll(400))
    if clock.wait(until: min(due, deadline), wake: wake) { return .woken }
    if due > deadline { return .timedOut }
    isInterrupted = false
    return .interruptionEnded
  }

  private func incident(_ time: MonotonicTime) throws(CameraError) -> CameraEvent {
    switch world.roll(16) {
    case 0: return .ended
    case 1...3: throw trouble()
    case 4...6:
      isInterrupted = true
      return .interrupted(.signalLost)
    case 7...10: return .damagedFrame(sequence: sequence, reason: "a trouble of this history")
    case 11, 12: return .controlsChanged([.iso, .exposureDuration])
    default: return .attitude(degrees: Double(world.roll(4) * 90), time: time)
    }
  }

  func stop() {
    // The capture thread also calls this after any failure.
    if stage == .streaming { stage = .prepared }
  }

  func close() {
    if stage != .closed { world.state.withLock { $0.open -= 1 } }
    stage = .closed
  }

  func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool {
    check([.closed], "awaitReturn")
    return !clock.wait(until: clock.now() + .milliseconds(world.roll(600)), wake: wake)
  }

  // MARK: Controls

  func capabilities() -> [CameraControlCapability] {
    check([.prepared, .streaming], "capabilities")
    return [
      CameraControlCapability(.exposureMode, choices: ["auto", "manual"]),
      CameraControlCapability(.exposureDuration, 0.0001...0.02, unit: .seconds),
      CameraControlCapability(.iso, 100...1600, unit: .iso),
      CameraControlCapability(.zoom, 1...2, unit: .factor),
      CameraControlCapability(.torch, absence: "This camera has no light."),
    ]
  }

  func values(of controls: [CameraControl]) -> [CameraControl: CameraControlValue] {
    check([.prepared, .streaming], "values")
    return values.filter { controls.contains($0.key) }
  }

  func set(_ settings: [(control: CameraControl, value: CameraControlValue)]) -> [CameraControlResult] {
    check([.prepared, .streaming], "set")
    return settings.map { control, value in
      guard values[control] != nil, !world.strikes() else {
        return CameraControlResult(control, wanted: value, refusal: "The device refused it.")
      }
      values[control] = value
      return CameraControlResult(control, wanted: value, took: value)
    }
  }
}

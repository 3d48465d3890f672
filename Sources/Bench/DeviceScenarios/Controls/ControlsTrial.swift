import Capture
import Imagery
import Probes
import System

/// A session on a camera of the lab, whose controls are made faulty one after another.
struct ControlsTrial: Sendable {
  let lab: DeviceLab
  let device: String
  let source: any CameraSource
  private let light = MeanLight()

  /// A control by its name in the lab and in the engine, with its values.
  private struct Case {
    let name: String
    let control: CameraControl
    let values: (first: CameraControlValue, second: CameraControlValue)
    /// The range for the fault `clamp`: its lower and upper end in the device's unit, and its upper end in the engine's unit.
    let clamp: (least: String, most: String, value: CameraControlValue)
  }

  private static let cases = [
    Case(
      name: "pan-tilt", control: .pan, values: (.number(10), .number(20)),
      clamp: ("-36000", "54000", .number(15))),
    Case(
      name: "exposure-time", control: .exposureDuration, values: (.number(0.01), .number(0.02)),
      clamp: ("1", "150", .number(0.015))),
    Case(
      name: "white-balance", control: .whiteBalanceTemperature, values: (.number(4000), .number(6000)),
      clamp: ("2000", "5000", .number(5000))),
  ]

  func command(_ words: String...) async throws {
    try await onOwnThread { [lab, device] in _ = try lab.command(device, words) }
  }

  func session() async throws -> CaptureSession {
    let session = CaptureSession(source: source, configuration: .unattended)
    await session.add(light)
    // A subscriber to the states, so that the engine reports what the device changes by itself.
    _ = await session.controlStates()
    try await session.start()
    try await Task.sleep(for: .seconds(1))
    return session
  }

  /// Returns the results of every case with every fault.
  func outcomes(_ session: CaptureSession) async throws -> [ControlOutcome] {
    var outcomes: [ControlOutcome] = []
    for given in Self.cases {
      for fault in ControlOutcome.Fault.allCases {
        outcomes.append(try await outcome(session, given, fault: fault))
      }
    }
    return outcomes
  }

  private func outcome(
    _ session: CaptureSession, _ given: Case, fault: ControlOutcome.Fault
  ) async throws -> ControlOutcome {
    try await command("control", given.name, "honest")
    let start = await session.set(given.control, to: given.values.first)
    switch fault {
    case .honest: break
    case .clamp: try await command("control", given.name, "clamp", given.clamp.least, given.clamp.most)
    case .delay: try await command("control", given.name, "delay", "300")
    case .ignore, .refuse: try await command("control", given.name, fault.rawValue)
    }
    let result = await session.set(given.control, to: given.values.second)
    try await Task.sleep(for: .seconds(1))
    let expected: CameraControlValue? =
      switch fault {
      case .honest, .delay: given.values.second
      case .clamp: given.clamp.value
      case .ignore, .refuse: start.took
      }
    let outcome = ControlOutcome(
      control: given.control, fault: fault, wanted: given.values.second, before: start.took,
      expected: expected,
      result: result, told: await session.controls.values[given.control])
    try await command("control", given.name, "honest")
    return outcome
  }

  /// The mean luma of the last frame. Nil before the first frame.
  var brightness: Double? { light.value }
}

/// The mean luma code of each frame, from every sixteenth row. YUYV only: the lab's camera does not change its JPEG pictures.
private final class MeanLight: FrameOutput {
  private let latest = Latest<Double>()
  var value: Double? { latest.value }

  func receive(_ frame: Frame) {
    guard frame.image.format.pixelFormat == .yuyv, let plane = frame.image.planes.first else { return }
    var (sum, count) = (0, 0)
    for row in stride(from: 0, to: frame.image.format.size.height, by: 16) {
      for x in stride(from: 0, to: frame.image.format.size.width * 2, by: 8) {
        sum += Int(plane.base.load(fromByteOffset: row * plane.bytesPerRow + x, as: UInt8.self))
        count += 1
      }
    }
    latest.value = Double(sum) / Double(max(count, 1))
  }
}

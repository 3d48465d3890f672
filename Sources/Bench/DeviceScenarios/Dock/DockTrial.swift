import Capture
import Dock
import Probes
import System

/// A dock on a camera of the lab, with a subject that the lab puts into the scene.
struct DockTrial: Sendable {
  let lab: DeviceLab
  let device: String
  let source: any CameraSource
  /// Field of view of the lab's camera across the width, in degrees.
  private static let fieldOfView = 60.0
  private static let shape = 640.0 / 360
  /// Largest distance of a subject from its place, in picture widths.
  private static let near = 0.05
  /// Time limit that suits an emulated processor.
  private static let patience = Duration.seconds(20)

  /// A direction, in degrees to the right and upwards.
  private struct Direction: Sendable {
    var pan: Double
    var tilt: Double

    /// Returns the place of the direction in the picture of a camera that points at `camera`.
    func place(seenFrom camera: Direction) -> DockPoint {
      DockPoint(
        x: 0.5 + (pan - camera.pan) / fieldOfView, y: 0.5 - (tilt - camera.tilt) / fieldOfView * shape)
    }
  }

  func log() async throws -> DeviceDock.Log {
    var configuration = DockConfiguration()
    configuration.tracking.window = 64
    configuration.tracking.longSide = 320
    let dock = DockController(configuration: configuration)
    let session = CaptureSession(source: source, configuration: .unattended)
    let log = try await session.ending {
      try await session.start()
      // Set the motors before the dock is attached, because the dock computes their positions from these
      // values.
      _ = await session.set([(.pan, .number(0)), (.tilt, .number(0))])
      try await Task.sleep(for: .seconds(1))
      await dock.attach(to: session)
      return try await course(session, dock)
    }
    await dock.detach()
    try await show(nil)
    return log
  }

  private func course(_ session: CaptureSession, _ dock: DockController) async throws -> DeviceDock.Log {
    var log = DeviceDock.Log(name: nil, turned: 0, overrun: 0)
    guard try await until({ dock.state.status != .disconnected }) != nil else { return log }
    log.name = dock.state.name
    _ = await dock.perform(.mode(.custom))
    let first = Direction(pan: 12, tilt: -5)
    try await show(first)
    // Waits long enough for a picture to show the subject.
    try await Task.sleep(for: .seconds(1))
    // The tracker is switched on only now, because it would follow movements in the film.
    for feature in [DockFeature.tracking, .tapToTrack, .summary] {
      _ = await dock.perform(.feature(feature, isOn: true))
    }
    let began = MonotonicTime.now()
    _ = await dock.perform(.selectPoint(first.place(seenFrom: Direction(pan: 0, tilt: 0))))
    log.centred = try await until { await isCentred(first, session) }
    let second = Direction(pan: 20, tilt: 0)
    for step in 1...16 {
      let share = Double(step) / 16
      try await show(
        Direction(pan: 12 + 8 * share, tilt: -5 + 5 * share))
      try await Task.sleep(for: .milliseconds(100))
    }
    log.followed = try await until { await isCentred(second, session) }
    let looks = dock.state.summary.map { $0.seen + $0.missed } ?? 0
    log.pace = Double(looks) / max((MonotonicTime.now() - began).milliseconds / 1000, 0.001)
    (log.turned, log.overrun) = try await byHand(session, dock)
    return log
  }

  /// Turns the camera for a second on behalf of a client that then disappears. Returns the degrees that the camera turned until half a
  /// second after that, and in the second that follows.
  private func byHand(_ session: CaptureSession, _ dock: DockController) async throws -> (Double, Double) {
    _ = await dock.perform(.mode(.manual))
    let before = await direction(session).pan
    for _ in 0..<10 {
      _ = await dock.perform(.move(DockAngles(pan: -0.2, tilt: 0)), client: 7)
      try await Task.sleep(for: .milliseconds(100))
    }
    dock.lost(client: 7)
    // Waits long enough for the present command to end.
    try await Task.sleep(for: .milliseconds(500))
    let gone = await direction(session).pan
    try await Task.sleep(for: .seconds(1))
    return (abs(gone - before), abs(await direction(session).pan - gone))
  }

  private func isCentred(_ subject: Direction, _ session: CaptureSession) async -> Bool {
    let place = subject.place(seenFrom: await direction(session))
    return abs(place.x - 0.5) <= Self.near && abs(place.y - 0.5) / Self.shape <= Self.near
  }

  /// Returns the direction that the device reports.
  private func direction(_ session: CaptureSession) async -> Direction {
    let values = await session.controls.values
    return Direction(pan: values[.pan]?.number ?? 0, tilt: values[.tilt]?.number ?? 0)
  }

  private func show(_ subject: Direction?) async throws {
    let words =
      subject.map { ["subject", "\(Int($0.pan * 3600))", "\(Int($0.tilt * 3600))"] } ?? ["subject", "none"]
    try await onOwnThread { [lab, device] in _ = try lab.command(device, words) }
  }

  /// - Returns: the milliseconds until the condition held; nil if it did not hold within the time limit.
  private func until(_ holds: () async -> Bool) async throws -> Double? {
    let began = MonotonicTime.now()
    while MonotonicTime.now() - began < Self.patience {
      if await holds() { return (MonotonicTime.now() - began).milliseconds }
      try await Task.sleep(for: .milliseconds(20))
    }
    return nil
  }
}

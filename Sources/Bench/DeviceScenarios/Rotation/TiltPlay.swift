import Capture
import Imagery
import Probes
import System

/// A session on a camera of the lab while the lab's accelerometer is turned.
struct TiltPlay: Sendable {
  let camera: LabCamera
  let sensor: String
  let rig: Rig
  let turns: Int

  struct Log: Sendable {
    var truth = TiltTruth()
    var pictures: [TurnedPicture] = []
    /// The tracker's states, including the loss of the unplugged sensor and its return at another angle.
    var states: [MotionTracker.State] = []
    var heldWhileGone: Rotation?
    var heldAfterReturn: Rotation?
    var failedPhotos: [String] = []
  }

  static let outputs = ["preview", "analysis", "photo"]
  /// Each of the four angles is followed once by each of the other three.
  private static let order: [Rotation] = [
    .none, .clockwise90, .half, .clockwise270, .none, .half, .clockwise90, .clockwise270, .clockwise90, .none,
    .clockwise270, .half,
  ]

  func run() async throws -> Log {
    let pictures = Collected<TurnedPicture>()
    let chart = LabChart(rig)
    let surface = OffscreenSurface(size: PixelSize(width: 640, height: 640))
    let session = CaptureSession(source: camera.source, configuration: .unattended)
    let photos = rig.makePhotoOutput(clock: SystemClock())
    await session.add(PreviewOutput(surface: surface) { pictures.add(chart.reading($0)) })
    await session.add(AnalysisOutput { pictures.add(chart.reading($0)) })
    await session.add(photos)
    let states = Collected<MotionTracker.State>()
    let tracker = try MotionTracker(MotionRequest(), rotation: session.rotation) { states.add($0) }
    defer { tracker.end() }
    try await session.start()
    var log = Log()
    do {
      try await turn(session, photos, chart: chart, pictures: pictures, log: &log)
      try await replugSensor(session, states, log: &log)
    } catch {
      await session.stop()
      throw error
    }
    await session.stop()
    log.pictures = pictures.all
    log.states = states.all
    return log
  }

  private func turn(
    _ session: CaptureSession, _ photos: PhotoOutput, chart: LabChart, pictures: Collected<TurnedPicture>,
    log: inout Log
  ) async throws {
    for index in 0..<turns {
      try Task.checkCancellation()
      try await tilt(to: Self.order[index % Self.order.count], &log)
      // The delay differs from turn to turn, so that the photos are taken at every phase of a frame.
      try await Task.sleep(for: .milliseconds(250 + index * 37 % 100))
      do {
        let photo = try await session.capturePhoto(PhotoSettings(longSide: 640), from: photos)
        pictures.add(try chart.reading(photo))
      } catch { log.failedPhotos.append("\(error)") }
      try await Task.sleep(for: .milliseconds(150))
    }
    // One interval of the sensor for taking the sample, and one interval for passing it on. Read only now, because the program that follows
    // the sensor sets its rate.
    log.truth.samplingInterval = SensorRate.interval() * 2
  }

  private func tilt(to held: Rotation, _ log: inout Log) async throws {
    let began = MonotonicTime.now()
    let done = try await onOwnThread { [camera, sensor] in
      try camera.lab.command(sensor, "angle", "\(held.rawValue)")
    }
    log.truth.tilts.append(TiltTruth.Tilt(held: held, began: began, done: done))
  }

  /// Unplugs the sensor, turns it unobserved, and plugs it in again.
  private func replugSensor(
    _ session: CaptureSession, _ states: Collected<MotionTracker.State>, log: inout Log
  ) async throws {
    try await tilt(to: .clockwise90, &log)
    try await Task.sleep(for: .milliseconds(300))
    _ = try await onOwnThread { [camera, sensor] in try camera.lab.command(sensor, "unplug") }
    await wait { states.all.contains { if case .lost = $0 { true } else { false } } }
    log.heldWhileGone = Rotation(rawValue: session.rotation.captureAngle)
    let began = MonotonicTime.now()
    _ = try await onOwnThread { [camera, sensor] in
      _ = try camera.lab.command(sensor, "angle", "270")
      return try camera.lab.command(sensor, "replug")
    }
    await wait { session.rotation.captureAngle == Rotation.clockwise270.rawValue }
    log.heldAfterReturn = Rotation(rawValue: session.rotation.captureAngle)
    // Pictures come until the session is stopped. From here on they must have the angle at which the sensor returned. While the sensor was
    // gone, they may have that angle or the angle before.
    log.truth.returned(holding: .clockwise270, turnedAfter: began, known: .now())
    try await Task.sleep(for: .milliseconds(300))
  }

  /// Waits until the condition holds, for at most ten seconds.
  private func wait(_ isSo: () -> Bool) async {
    let deadline = MonotonicTime.now() + .seconds(10)
    while !isSo(), MonotonicTime.now() < deadline { try? await Task.sleep(for: .milliseconds(5)) }
  }
}

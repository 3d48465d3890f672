import Capture
import Harness
import Imagery
import Probes
import Replay
import System

/// A session on a simulated camera with physics, in virtual time, with what the engine says of each frame and what the camera knows of it.
struct SensorPlay: Sendable {
  /// What the engine says of a frame.
  struct Delivered: Sendable {
    let sequence: UInt32
    let exposure: MonotonicTime
    let settings: FrameSettings
  }

  let session: CaptureSession
  let clock = VirtualClock()
  /// What the camera was told, and how it exposed.
  let truth: SensorLog
  let scene: SensorScene
  private let rig: Rig
  private let tap = FrameTap()

  /// - Parameters:
  ///   - source: small pictures do, since it is their light that is looked at.
  ///   - rig: whose fault is put between camera and engine.
  init(_ source: SensorSource, rig: Rig, configuration: SessionConfiguration = .unattended) async {
    var logged = source
    truth = source.log ?? SensorLog()
    logged.log = truth
    scene = source.scene
    self.rig = rig
    session = CaptureSession(source: rig.operable(logged), configuration: configuration, clock: clock)
    await session.add(tap)
  }

  var frames: [Delivered] { tap.frames.all }

  /// Lets time pass.
  /// - Throws: `CancellationError` when it stood still until the task was cancelled.
  func run(_ duration: Duration) async throws {
    await clock.run(for: duration)
    try Task.checkCancellation()
  }

  /// Gives a command that takes its time, and returns when it has begun: time does not go on before.
  func starting<Value: Sendable>(
    _ command: @escaping @Sendable (CaptureSession) async -> Value,
    hasBegun: @Sendable (ControlsState, SensorLog) -> Bool
  ) async -> Task<Value, Never> {
    clock.workBegan()
    defer { clock.workEnded() }
    let task = Task { [session] in await command(session) }
    for _ in 0..<10_000 {
      // What is asked now comes behind the command, and its answer has the state that holds then.
      _ = await session.set([])
      if hasBegun(await session.controls, truth) { break }
      await Task.yield()
    }
    return task
  }

  /// Takes another camera. What it is told and does is noted beside that of the others.
  func change(to source: SensorSource) async throws {
    var logged = source
    logged.log = truth
    let other = rig.operable(logged)
    try await session.configure { $0.source = other }
  }

  /// What the camera knows of the frame that began to be exposed at a moment.
  func truth(of frame: Delivered) -> SensorLog.Exposed? {
    truth.frames.last { $0.start == frame.exposure }
  }

  /// The frames that were exposed wholly after a moment, as the camera knows them.
  func exposed(after time: MonotonicTime) -> [SensorLog.Exposed] { truth.frames.filter { $0.start >= time } }
}

/// Notes what the engine says of each frame, and keeps none.
private final class FrameTap: FrameOutput {
  let frames = Collected<SensorPlay.Delivered>()

  func receive(_ frame: Frame) {
    frames.add(
      SensorPlay.Delivered(
        sequence: frame.sequence, exposure: frame.exposureTime, settings: frame.settings))
  }
}

extension Check {
  /// The same rule on a camera that does not meter.
  var onPlainCamera: Check {
    Check(
      id: id + ".plain", title: title + ", on a camera that does not meter", passed: passed,
      subjects: subjects, detail: detail, requirement: requirement)
  }
}

extension SensorSource {
  /// A small one at one frame rate.
  init(
    framesPerSecond: Int, light: Double = 10, _ change: (inout SensorModel) -> Void = { _ in }
  ) {
    var model = SensorModel()
    change(&model)
    self.init(
      size: PixelSize(width: 64, height: 48), rates: [FrameInterval(framesPerSecond: framesPerSecond)],
      model: model,
      scene: SensorScene(lightValue: light))
    drawsTimeCode = false
  }
}

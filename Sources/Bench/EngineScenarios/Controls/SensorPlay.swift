import Capture
import Harness
import Imagery
import Probes
import Replay
import System

/// A session on a simulated camera with physics, in virtual time, with the engine's and the camera's data on each frame.
struct SensorPlay: Sendable {
  /// The engine's data on a frame.
  struct Delivered: Sendable {
    let sequence: UInt32
    let exposure: MonotonicTime
    let settings: FrameSettings
  }

  let session: CaptureSession
  let clock = VirtualClock()
  /// The camera's log of commands and exposures.
  let truth: SensorLog
  let scene: SensorScene
  private let rig: Rig
  private let tap = FrameTap()

  /// - Parameters:
  ///   - source: the camera; small pictures suffice, since only their light is examined.
  ///   - rig: the rig whose fault is put between camera and engine.
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

  /// Advances the time.
  /// - Throws: `CancellationError` if the task was cancelled.
  func run(_ duration: Duration) async throws {
    await clock.run(for: duration)
    try Task.checkCancellation()
  }

  /// Starts a command that takes some time, and returns once it has begun. Until then, the time stands still.
  func starting<Value: Sendable>(
    _ command: @escaping @Sendable (CaptureSession) async -> Value,
    hasBegun: @Sendable (ControlsState, SensorLog) -> Bool
  ) async -> Task<Value, Never> {
    clock.workBegan()
    defer { clock.workEnded() }
    let task = Task { [session] in await command(session) }
    for _ in 0..<10_000 {
      // This empty command is queued behind the command under test, so its answer has the state at that point.
      _ = await session.set([])
      if hasBegun(await session.controls, truth) { break }
      await Task.yield()
    }
    return task
  }

  /// Changes to another camera, which continues the log of the earlier cameras.
  func change(to source: SensorSource) async throws {
    var logged = source
    logged.log = truth
    let other = rig.operable(logged)
    try await session.configure { $0.source = other }
  }

  /// Returns the camera's data on the frame, found by the start of its exposure.
  func truth(of frame: Delivered) -> SensorLog.Exposed? {
    truth.frames.last { $0.start == frame.exposure }
  }

  /// Returns the camera's data on the frames exposed wholly after a moment.
  func exposed(after time: MonotonicTime) -> [SensorLog.Exposed] { truth.frames.filter { $0.start >= time } }
}

/// A log of the engine's data on each frame, which keeps no frame.
private final class FrameTap: FrameOutput {
  let frames = Collected<SensorPlay.Delivered>()

  func receive(_ frame: Frame) {
    frames.add(
      SensorPlay.Delivered(
        sequence: frame.sequence, exposure: frame.exposureTime, settings: frame.settings))
  }
}

extension Check {
  /// This check with the id and the title for a camera that does not meter.
  var onPlainCamera: Check {
    Check(
      id: id + ".plain", title: title + ", on a camera that does not meter", passed: passed,
      subjects: subjects, detail: detail, requirement: requirement)
  }
}

extension SensorSource {
  /// Creates a small camera with a single frame rate.
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

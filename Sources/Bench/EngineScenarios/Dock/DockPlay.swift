import Capture
import Dock
import Harness
import Imagery
import Probes
import Replay
import System

/// A session with a dock on a simulated camera with motors, in virtual time, with the camera's own log.
struct DockPlay: Sendable {
  let session: CaptureSession
  let clock = VirtualClock()
  let truth = DockLog()
  let dock: DockController

  init(rig: Rig, kind: DockModel.Kind, scene: DockScene) async {
    var source = DockSource(size: PixelSize(width: 320, height: 180), scene: scene)
    source.model.kind = kind
    source.log = truth
    var configuration = DockConfiguration()
    configuration.features = Set(DockFeature.allCases)
    configuration.tracking.window = 64
    configuration.tracking.longSide = 320
    configuration.tracking.looksEvery = 1
    dock = DockController(configuration: configuration, clock: clock)
    session = CaptureSession(source: rig.operable(source), configuration: .unattended, clock: clock)
  }

  /// Starts the camera, attaches the dock, runs `body`, and detaches the dock.
  func playing<Value: Sendable>(_ body: @escaping @Sendable (DockPlay) async throws -> Value) async throws
    -> Value
  {
    let value = try await session.ending {
      try await session.start()
      try await run(.milliseconds(300))
      await dock.attach(to: session)
      return try await body(self)
    }
    await dock.detach()
    return value
  }

  /// Advances the time.
  /// - Throws: `CancellationError` if the task was cancelled.
  func run(_ duration: Duration) async throws {
    await clock.run(for: duration)
    try Task.checkCancellation()
  }

  /// Taps on a subject, at its place in the newest frame.
  func tap(_ subject: Int = 0) async -> DockAnswer {
    guard let place = truth.frames.last?.subjects[subject] else {
      return .refused("it is not in the picture")
    }
    return await dock.perform(.selectPoint(DockPoint(x: place.x, y: place.y)))
  }

  /// Returns the distances of a subject from its place, in picture widths, for frames from `time` on.
  func distances(of subject: Int = 0, from time: MonotonicTime, place: Double) -> [DockDistance] {
    truth.frames.filter { $0.start >= time }.compactMap { frame in
      frame.subjects[subject].map {
        DockDistance(
          milliseconds: (frame.start - time).milliseconds, across: abs($0.x - place),
          down: abs($0.y - 0.5) * 180 / 320)
      }
    }
  }
}

/// The distance of a subject from its place in a frame.
struct DockDistance: Hashable, Sendable {
  /// Milliseconds since the command.
  var milliseconds: Double
  /// Horizontal distance from the place, in picture widths.
  var across: Double
  /// Vertical distance from the middle of the picture, in picture widths.
  var down: Double

  /// A subject within this distance is centred.
  static let near = 0.05

  var isNear: Bool { across <= Self.near && down <= Self.near }

  /// Returns the milliseconds after which the subject stayed near its place. Nil if it did not stay there.
  static func centred(_ distances: [DockDistance]) -> Double? {
    guard let last = distances.lastIndex(where: { !$0.isNear }) else { return distances.first?.milliseconds }
    return last + 1 < distances.count ? distances[last + 1].milliseconds : nil
  }
}

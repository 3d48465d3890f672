import Capture
import Glibc
import Harness
import Imagery
import Probes
import Replay
import System

/// A session that changes between two lenses of one device.
struct LensPlay: Sendable {
  struct Log: Sendable {
    var switches = 0
    /// Number of frames after the first change that the engine reported as settled.
    var settled = 0
    /// Number of settled frames that were not exposed as requested.
    var foreign = 0
    var reapplications = 0
    /// Sensitivity under shutter priority before the changes.
    var before = 0.0
    /// Sensitivity under shutter priority after the changes.
    var after = 0.0
    /// Milliseconds from the last change to the first settled frame. Nil without such a frame.
    var settledAfter: Double?
  }

  let rig: Rig
  private let tells: Bool
  private let scene = SensorScene(lightValue: 7)

  /// - Parameter tells: whether the camera meters, and reports with each frame the settings of its exposure. A webcam does neither.
  init(rig: Rig, tells: Bool = true) { (self.rig, self.tells) = (rig, tells) }

  func lens(_ name: String) -> SensorSource {
    var source = SensorSource(
      size: PixelSize(width: 64, height: 48), rates: [FrameInterval(framesPerSecond: 30)], scene: scene)
    source.name = name
    source.model.tellsSettings = tells
    source.model.tellsTargetOffset = tells
    return source
  }

  func log(switches: Int) async throws -> Log {
    let play = await SensorPlay(lens("Wide"), rig: rig)
    return try await play.session.ending {
      try await play.session.start()
      try await play.run(.seconds(1))
      _ = await play.session.enableShutterPriority()
      try await play.run(.seconds(2))
      let before = await play.session.controls
      let began = play.clock.now()
      for index in 0..<switches {
        try await play.change(to: lens(index % 2 == 0 ? "Tele" : "Wide"))
        try await play.run(.milliseconds(100))
      }
      let ended = play.clock.now() - .milliseconds(100)
      try await play.run(.seconds(2))
      return log(
        play, before, after: await play.session.controls, began: began, ended: ended, switches: switches)
    }
  }

  private func log(
    _ play: SensorPlay, _ before: ControlsState, after: ControlsState, began: MonotonicTime,
    ended: MonotonicTime,
    switches: Int
  ) -> Log {
    let wanted = before.shutterPriority
    let settled = play.frames.filter { $0.exposure >= began && $0.settings.isSettled }
    let foreign = settled.filter { frame in
      guard let truth = play.truth(of: frame), let wanted else { return true }
      return abs(truth.duration / wanted.duration - 1) > 0.02 || abs(log2(truth.iso / wanted.iso)) > 0.15
    }
    let first = settled.first { $0.exposure >= ended }
    return Log(
      switches: switches, settled: settled.count, foreign: foreign.count,
      reapplications: after.reapplications - before.reapplications, before: wanted?.iso ?? .nan,
      after: after.shutterPriority?.iso ?? .nan,
      settledAfter: first.map { ($0.exposure - ended).milliseconds })
  }
}

extension MonotonicTime {
  fileprivate static func - (time: MonotonicTime, duration: Duration) -> MonotonicTime {
    time + .nanoseconds(-duration.nanoseconds)
  }
}

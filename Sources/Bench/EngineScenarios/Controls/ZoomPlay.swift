import Capture
import Glibc
import Harness
import Imagery
import Probes
import Replay
import System

/// A simulated camera whose zoom is operated.
struct ZoomPlay: Sendable {
  /// Properties of the camera's lens.
  struct Lens: Hashable, Sendable {
    let name: String
    let title: String
    let range: ClosedRange<Double>
    /// Speed of the motor, in doublings per second.
    let speed: Double
  }

  static let lenses = [
    Lens(name: "fixed", title: "A lens without zoom", range: 1...1, speed: 60),
    Lens(name: "quick", title: "A lens to 3×", range: 1...3, speed: 1000),
  ]

  /// The total zoom of a frame, lens times crop. The lens factor is the camera's own.
  struct Sample: Sendable {
    /// Time of the frame, in seconds.
    var time: Double
    var zoom: Double
  }

  struct Log: Sendable {
    var ramp: [Sample] = []
    var instant = 0.0
    var drift = 0.0
    var clamped: CameraControlResult?

    /// Returns the doublings per second while the zoom changes: the slope of its logarithm by least squares, without both ends.
    static func rate(of samples: [Sample]) -> Double? {
      guard let least = samples.map(\.zoom).min(), let most = samples.map(\.zoom).max() else { return nil }
      let moving = samples.filter { $0.zoom > least * 1.02 && $0.zoom < most / 1.02 }
      guard moving.count > 2 else { return nil }
      let times = moving.map(\.time)
      let values = moving.map { log2($0.zoom) }
      let (middle, mean) = (
        times.reduce(0, +) / Double(times.count), values.reduce(0, +) / Double(values.count)
      )
      let spread = times.reduce(0) { $0 + ($1 - middle) * ($1 - middle) }
      return spread > 0
        ? zip(times, values).reduce(0) { $0 + ($1.0 - middle) * ($1.1 - mean) } / spread : nil
    }
  }

  let rig: Rig
  let lens: Lens

  func log() async throws -> Log {
    let source = SensorSource(framesPerSecond: 30) {
      ($0.zoomRange, $0.zoomSpeed) = (lens.range, lens.speed)
    }
    let play = await SensorPlay(source, rig: rig)
    return try await play.session.ending {
      try await play.session.start()
      try await play.run(.seconds(1))
      var log = Log()
      log.ramp = try await ramp(play, to: 4, for: .seconds(2))
      _ = await play.session.set(.zoom, to: .number(1))
      try await play.run(.seconds(1))
      log.drift = try await cancelled(play)
      _ = await play.session.set(.zoom, to: .number(1))
      try await play.run(.seconds(1))
      let count = play.frames.count
      _ = await play.session.set(.zoom, to: .number(2.5))
      try await play.run(.milliseconds(100))
      log.instant = samples(play, from: count).first?.zoom ?? .nan
      log.clamped = await play.session.set(.zoom, to: .number(1000))
      return log
    }
  }

  private func ramp(_ play: SensorPlay, to factor: Double, for duration: Duration) async throws -> [Sample] {
    let count = play.frames.count
    let ramp = await play.starting {
      await $0.rampZoom(to: factor, rate: ZoomTrace.rate)
    } hasBegun: { state, _ in
      state.zoomTarget != nil
    }
    try await play.run(duration)
    _ = await ramp.value
    return samples(play, from: count)
  }

  /// Returns how far the zoom moved after it was cancelled, not counting the first frame.
  private func cancelled(_ play: SensorPlay) async throws -> Double {
    let ramp = await play.starting {
      await $0.rampZoom(to: 4, rate: ZoomTrace.rate)
    } hasBegun: { state, _ in
      state.zoomTarget != nil
    }
    try await play.run(.milliseconds(400))
    await play.session.cancelZoomRamp()
    let count = play.frames.count
    try await play.run(.milliseconds(500))
    _ = await ramp.value
    let after = samples(play, from: count + 1).map(\.zoom)
    return (after.max() ?? .nan) - (after.min() ?? .nan)
  }

  private func samples(_ play: SensorPlay, from count: Int) -> [Sample] {
    play.frames.dropFirst(count).compactMap { frame in
      play.truth(of: frame).map {
        Sample(
          time: Double(frame.exposure.nanoseconds) / 1e9, zoom: $0.zoom * frame.settings.digitalZoom)
      }
    }
  }
}

import Capture
import Imagery
import Probes
import System

/// Timed starts in the lightest mode, in turns of the device alone and of a session, with a rest before each, so that a device that needs a rest is
/// not blamed here. If a rule requests the starts a second time, it repeats its measurement, and gets new starts.
actor RestedStarts {
  /// The stages of a session's start, in milliseconds from its beginning.
  struct SessionStart: Sendable {
    var prepared: Double
    var firstFrame: Double
    var render: Double
    var presented: Double
  }

  struct Found: Sendable {
    /// Milliseconds from open to the first buffer.
    var device: [Double] = []
    var sessions: [SessionStart] = []
  }

  private let camera: QualifiedCamera
  private let count: Int
  private var known: Found?
  private var served: Set<String> = []
  private static let rest = Duration.milliseconds(250)
  /// Size of the surface: small, so that the camera is measured and not the drawing.
  static let surface = PixelSize(width: 160, height: 90)

  init(camera: QualifiedCamera, count: Int) {
    self.camera = camera
    self.count = count
  }

  func found(for rule: String) async throws -> Found {
    if served.contains(rule) { (known, served) = (nil, []) }
    served.insert(rule)
    if let known { return known }
    var found = Found()
    for index in 0...count {
      try await Task.sleep(for: Self.rest)
      let alone = try await device()
      try await Task.sleep(for: Self.rest)
      let session = try await session()
      // The first pair is left out, because it has to load this program's own code. So is a pair whose session shows nothing.
      guard index > 0, let session else { continue }
      found.device.append(alone)
      found.sessions.append(session)
    }
    known = found
    return found
  }

  /// Starts the device alone once, without a rest. Returns the milliseconds from open to its first buffer.
  nonisolated func device() async throws -> Double {
    try await DeviceStart(rig: camera.rig(in: camera.plan.light), bundled: "").samples(count: 1).first ?? .nan
  }

  /// - Returns: nil if no picture came in 10 s.
  private func session() async throws -> SessionStart? {
    let play = await Play(
      source: camera.source(in: camera.plan.light), chart: nil, size: Self.surface, interval: .zero,
      rig: camera.rig(in: camera.plan.light))
    let began = MonotonicTime.now()
    try await play.session.start()
    _ = await play.untilPresented(1, within: .seconds(10))
    let timeline = await play.session.timeline
    let first = play.log.all.first
    await play.session.stop()
    return first.map { first in
      SessionStart(
        prepared: ((timeline.prepared ?? began) - began).milliseconds,
        firstFrame: (first.frame.arrivalTime - began).milliseconds,
        render: (first.renderTime - began).milliseconds,
        presented: (first.presentedTime - began).milliseconds)
    }
  }
}

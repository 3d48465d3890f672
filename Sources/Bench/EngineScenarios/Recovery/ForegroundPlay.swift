import Capture
import Imagery
import Probes
import Replay
import System

/// A session that repeatedly goes to the background and back.
struct ForegroundPlay: Sendable {
  struct Log: Sendable {
    /// The milliseconds from foreground() to the first picture shown, for each round in which that picture came within 2 s.
    var resumed: [Double] = []
    /// The milliseconds that the device alone took to its first frame, after each value of `resumed` was measured.
    var device: [Double] = []
    /// Number of pictures shown in the background.
    var shownAway = 0
    /// Number of rounds in which the device stayed open.
    var openAway = 0
  }

  let rig: Rig
  let bundled: String
  let surface: PixelSize
  let clock: any CaptureClock
  /// A function that starts the device without the engine. It is called after each return and after a rest, as a reference for the return.
  /// Some devices need the rest, and a quick return does not leave time for it. Nil if the device's own time is known.
  var device: (@Sendable () async throws -> Double)?
  private static let rest = Duration.milliseconds(250)

  init(rig: Rig, bundled: String, surface: PixelSize, clock: any CaptureClock) {
    self.rig = rig
    self.bundled = bundled
    self.surface = surface
    self.clock = clock
  }

  /// Whether the camera is a recording or a simulation. Those open in no time, so a delay is added.
  var isPlayed: Bool { get throws { try Self.isPlayed(rig, bundled) } }

  static func isPlayed(_ rig: Rig, _ bundled: String) throws -> Bool {
    let source = try rig.soundSource(orBundled: bundled)
    return source is ReplaySource || source is SimulatedSource
  }

  func log(rounds: Int) async throws -> Log {
    let watch = OpenCameras()
    let sound = try rig.soundSource(orBundled: bundled)
    let timed = try isPlayed ? SlowSource(base: sound, delay: Foreground.opening) as any CameraSource : sound
    var configuration = SessionConfiguration.unattended
    // An injected delay must not be taken for a stall, which would restart the camera.
    if clock is VirtualClock { configuration.stallTimeout = .seconds(5) }
    let play = await Play(
      source: rig.broken(watch.watching(timed)), chart: nil, size: surface, interval: .zero, rig: rig,
      configuration: configuration, clock: clock)
    return try await play.session.ending {
      defer { play.surface.hurry() }
      try await play.session.start()
      _ = try await until(3, of: play, within: .seconds(10))
      var log = Log()
      for _ in 0..<rounds { try await goAndComeBack(play, watch, log: &log) }
      return log
    }
  }

  private func goAndComeBack(_ play: Play, _ watch: OpenCameras, log: inout Log) async throws {
    await play.session.background()
    let before = play.log.count
    log.openAway += watch.count > 0 ? 1 : 0
    try await pass(.milliseconds(50))
    log.shownAway += play.log.count - before
    let (shown, back) = (play.log.count, clock.now())
    try await play.session.foreground()
    if try await until(shown + 1, of: play, within: .seconds(2)),
      let first = play.log.all.dropFirst(shown).first
    {
      log.resumed.append((first.presentedTime - back).milliseconds)
      if let device { log.device.append(try await alone(play, device)) }
    }
    _ = try await until(shown + 3, of: play, within: .seconds(1))
  }

  /// Measures the device without the engine, while the session is in the background once more.
  private func alone(_ play: Play, _ device: @Sendable () async throws -> Double) async throws -> Double {
    await play.session.background()
    try await pass(Self.rest)
    let took = try await device()
    try await pass(Self.rest)
    let shown = play.log.count
    try await play.session.foreground()
    _ = try await until(shown + 1, of: play, within: .seconds(2))
    return took
  }

  private func pass(_ duration: Duration) async throws {
    if let virtual = clock as? VirtualClock {
      await virtual.run(for: duration)
      try Task.checkCancellation()
    } else {
      try await Task.sleep(for: duration)
    }
  }

  /// Waits until `count` pictures have been presented in all. Returns false if the time is up.
  private func until(_ count: Int, of play: Play, within limit: Duration) async throws -> Bool {
    guard clock is VirtualClock else {
      let isShown = await play.untilPresented(count, within: limit)
      try Task.checkCancellation()
      return isShown
    }
    let deadline = clock.now() + limit
    while play.log.count < count, clock.now() < deadline { try await pass(.milliseconds(1)) }
    return play.log.count >= count
  }
}

/// The number of open cameras of a source.
final class OpenCameras: Sendable {
  private let open = Locked(0)

  var count: Int { open.withLock { $0 } }

  func watching(_ source: any CameraSource) -> any CameraSource {
    WatchedSource(source) { [self] in
      var isOpen = false
      func note(_ opens: Bool) {
        guard isOpen != opens else { return }
        isOpen = opens
        open.withLock { $0 += opens ? 1 : -1 }
      }
      return WatchedSource.Watcher(opened: { note(true) }, closed: { note(false) })
    }
  }
}

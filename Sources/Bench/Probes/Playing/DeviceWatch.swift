package import Capture
import Harness
package import Imagery
package import System

/// A session on a device, with all published states and presented pictures.
package struct DeviceWatch: Sendable {
  package let play: Play
  private let log: StateLog

  /// Time limit for a reaction of the session.
  package static let patience = Duration.seconds(10)
  /// Size of the surface. It is small, because the size does not matter to these scenarios.
  package static let surface = PixelSize(width: 320, height: 180)

  package init(source: any CameraSource, rig: Rig) async {
    play = await Play(source: source, chart: nil, size: Self.surface, interval: .zero, rig: rig)
    log = await StateLog(of: play.session)
  }

  package var states: [StateMark] { log.all }

  /// Starts the session. It may be interrupted while starting.
  package func start() async throws { try await play.session.start() }

  package func stop() async {
    await play.session.stop()
    await log.finish()
  }

  /// Waits until `find` returns a value, for at most `patience`.
  package func until<Found>(_ find: () -> Found?) async -> Found? {
    let deadline = MonotonicTime.now() + Self.patience
    while MonotonicTime.now() < deadline, !Task.isCancelled {
      if let found = find() { return found }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return find()
  }

  /// Returns the first interruption published after the first `count` states.
  package func interruption(after count: Int) -> StateMark? { log.interruption(after: count) }

  /// Returns the number of pictures whose frames were dequeued at or after a time.
  package func pictures(after time: MonotonicTime) -> Int {
    play.log.all.count { $0.frame.arrivalTime >= time }
  }

  /// Returns the first picture whose frame was dequeued at or after a time.
  package func picture(after time: MonotonicTime) -> Presentation? {
    play.log.all.first { $0.frame.arrivalTime >= time }
  }
}

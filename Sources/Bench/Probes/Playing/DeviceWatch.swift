package import Capture
import Harness
package import Imagery
package import System

/// A session on a device, with everything it published and showed.
package struct DeviceWatch: Sendable {
  package let play: Play
  private let log: StateLog

  /// How long a session may take to do what is waited for.
  package static let patience = Duration.seconds(10)
  /// Small: these scenarios are about what is shown, not how much.
  package static let surface = PixelSize(width: 320, height: 180)

  package init(source: any CameraSource, rig: Rig) async {
    play = await Play(source: source, chart: nil, size: Self.surface, interval: .zero, rig: rig)
    log = await StateLog(of: play.session)
  }

  package var states: [StateMark] { log.all }

  /// Starts, or is interrupted in starting.
  package func start() async throws { try await play.session.start() }

  package func stop() async {
    await play.session.stop()
    await log.finish()
  }

  /// Waits until `find` finds something, at most `patience`.
  package func until<Found>(_ find: () -> Found?) async -> Found? {
    let deadline = MonotonicTime.now() + Self.patience
    while MonotonicTime.now() < deadline, !Task.isCancelled {
      if let found = find() { return found }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return find()
  }

  /// The first interruption published after the first `count` states.
  package func interruption(after count: Int) -> StateMark? { log.interruption(after: count) }

  /// How many pictures were taken from the driver after a moment.
  package func pictures(after time: MonotonicTime) -> Int {
    play.log.all.count { $0.frame.arrivalTime >= time }
  }

  /// The first picture taken from the driver after a moment.
  package func picture(after time: MonotonicTime) -> Presentation? {
    play.log.all.first { $0.frame.arrivalTime >= time }
  }
}

import Capture
import Imagery
package import Replay
import System

/// Plays a moving picture on a surface of the picture's size, and logs each presentation. Latency, drops and jitter are read from the log.
package struct MovingPlay {
  package let subject: MovingSubject
  let rig: Rig

  package init(subject: MovingSubject, rig: Rig) {
    self.subject = subject
    self.rig = rig
  }

  /// Returns the pictures shown during `duration`, with its beginning and end.
  package func watch(for duration: Duration) async throws -> WatchedPlay {
    let play = await play(SystemClock())
    try await play.session.prewarm()
    try await play.session.start()
    let began = MonotonicTime.now()
    try await Task.sleep(for: duration)
    let ended = MonotonicTime.now()
    await play.session.stop()
    return WatchedPlay(began: began, ended: ended, log: play.log.all)
  }

  /// Returns all pictures shown during `duration` of virtual time.
  package func virtualLog(for duration: Duration) async throws -> [Presentation] {
    try await virtualWatch(for: duration).log
  }

  /// Returns the pictures shown during `duration` of virtual time, with the beginning and the end of this
  /// time.
  /// - Throws: `CancellationError`, also if virtual time stood still until the task was cancelled. The session is then abandoned, because
  /// stopping the session might wait for whatever holds up the time.
  package func virtualWatch(for duration: Duration) async throws -> WatchedPlay {
    let clock = VirtualClock()
    let play = await play(clock)
    try await play.session.start()
    let began = clock.now()
    await clock.run(for: duration)
    try Task.checkCancellation()
    let ended = clock.now()
    await play.stop()
    return WatchedPlay(began: began, ended: ended, log: play.log.all)
  }

  private func play(_ clock: any CaptureClock) async -> Play {
    await Play(
      source: subject.source, chart: subject.chart, size: subject.size, interval: subject.interval, rig: rig,
      clock: clock)
  }
}

extension MovingPlay {
  /// Creates a play of a simulated camera, optionally with a fault.
  package init(simulated: SimulatedSource, fault: InjectedFault? = nil) {
    self.init(
      subject: MovingSubject(simulated: simulated, fault: fault), rig: Rig(fault: fault, viewfinder: ""))
  }
}

extension LatencyProbe {
  package init(_ log: [Presentation], of subject: MovingSubject) {
    self.init(log, chart: subject.chart, interval: subject.interval)
  }
}

extension PanProbe {
  package init(_ log: [Presentation], of subject: MovingSubject) {
    self.init(log, chart: subject.chart, interval: subject.interval)
  }
}

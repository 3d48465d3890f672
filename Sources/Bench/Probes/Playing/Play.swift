package import Capture
import Harness
package import Imagery
import System

/// One session with a preview that is looked at: what most scenarios need.
package struct Play: Sendable {
  package let session: CaptureSession
  package let preview: PreviewOutput
  package let log: PresentationLog
  package let surface: any PreviewSurface

  /// - Parameters:
  ///   - size: of the surface.
  ///   - interval: between frames of the source.
  package init(
    source: any CameraSource, chart: TimeCodeChart?, size: PixelSize, interval: Duration, rig: Rig,
    configuration: SessionConfiguration = .unattended, clock: any CaptureClock = SystemClock()
  ) async {
    let log = PresentationLog(chart: chart)
    let surface = rig.makeSurface(size: size, interval: interval, clock: clock)
    session = CaptureSession(source: source, configuration: configuration, clock: clock)
    preview = PreviewOutput(surface: surface, clock: clock) { log.note($0) }
    self.log = log
    self.surface = surface
    await session.add(preview)
  }

  /// Ends the session, also in virtual time that nobody lets pass.
  package func stop() async {
    surface.hurry()
    await session.stop()
  }

  /// Waits until `count` pictures were presented in all, or the time is up.
  package func untilPresented(_ count: Int, within limit: Duration) async -> Bool {
    await PresentationWait(log: log).until(count, within: limit)
  }
}

extension CaptureSession {
  /// Waits while the session starts: its first picture may be on the surface before it says that it runs. False when it does something else
  /// than run then.
  package func comesToRun() async -> Bool {
    for await state in states() where state != .starting && state != .loading { return state == .running }
    return false
  }

  /// What `body` gives, with the session ended however it went: the next scenario wants the device.
  package nonisolated func ending<Value: Sendable>(
    after body: @Sendable () async throws -> Value
  ) async throws -> Value {
    let result: Result<Value, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    await stop()
    return try result.get()
  }
}

extension SessionConfiguration {
  /// Nobody touches a camera under test, and it is not to fall asleep over it. What is read in its preview is not mirrored.
  package static var unattended: SessionConfiguration {
    var configuration = SessionConfiguration()
    configuration.inactivityTimeout = nil
    configuration.isPreviewMirrored = false
    return configuration
  }
}

/// Polls a log; its pictures come from a thread that must not be made to wait for anyone.
struct PresentationWait {
  let log: PresentationLog

  func until(_ count: Int, within limit: Duration) async -> Bool {
    let deadline = MonotonicTime.now() + limit
    while log.count < count {
      guard MonotonicTime.now() < deadline, !Task.isCancelled else { return false }
      try? await Task.sleep(for: .milliseconds(2))
    }
    return true
  }
}

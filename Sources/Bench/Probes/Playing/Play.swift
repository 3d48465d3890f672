package import Capture
import Harness
package import Imagery
import System

/// A session with an observed preview, as most scenarios need it.
package struct Play: Sendable {
  package let session: CaptureSession
  package let preview: PreviewOutput
  package let log: PresentationLog
  package let surface: any PreviewSurface

  /// - Parameters:
  ///   - size: the size of the surface on which the preview is presented, in pixels.
  ///   - interval: the frame interval of the source.
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

  /// Ends the session, also if it runs in virtual time that nobody advances any more.
  package func stop() async {
    surface.hurry()
    await session.stop()
  }

  /// Waits until `count` pictures have been presented in all. Returns false if the time is up.
  package func untilPresented(_ count: Int, within limit: Duration) async -> Bool {
    await PresentationWait(log: log).until(count, within: limit)
  }
}

extension CaptureSession {
  /// Waits for the state `running`, which may come after the first picture is presented. Returns false if a state other than `starting`, `loading`
  /// or `running` comes first.
  package func comesToRun() async -> Bool {
    for await state in states() where state != .starting && state != .loading { return state == .running }
    return false
  }

  /// Returns the result of `body`, and ends the session also after an error, because the next scenario needs the device.
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
  /// A configuration for tests: no inactivity time-out, since nobody touches the camera, and no mirroring, since the preview is read.
  package static var unattended: SessionConfiguration {
    var configuration = SessionConfiguration()
    configuration.inactivityTimeout = nil
    configuration.isPreviewMirrored = false
    return configuration
  }
}

/// A wait that polls a log, because the thread that adds pictures to it must not be blocked.
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

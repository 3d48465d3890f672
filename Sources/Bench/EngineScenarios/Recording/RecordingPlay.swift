import Capture
import Imagery
import Probes
import Recording

/// A recording of a source through a session, in virtual time.
struct RecordingPlay {
  let rig: Rig
  let source: any CameraSource
  let interval: FrameInterval
  var settings = RecordingSettings(hasThumbnail: false)

  /// - Returns: the recording, and the answers to a second start during it and a second stop after it.
  func film(to path: String, for duration: Duration) async throws -> (
    recording: Recording, refusals: [String]
  ) {
    let clock = VirtualClock()
    let session = CaptureSession(source: source, configuration: .unattended, clock: clock)
    let output = rig.makeRecordingOutput(clock: clock)
    await session.add(output)
    try output.start(settings, to: path, interval: interval)
    try await session.start()
    await clock.run(for: duration)
    var refusals = [secondStart(output, path + ".second.mp4")]
    let recording = try await clock.run { try await output.stop() }
    do throws(RecordingError) { _ = try await output.stop() } catch { refusals.append(error.code.rawValue) }
    await session.stop()
    try Task.checkCancellation()
    return (recording, refusals)
  }

  private func secondStart(_ output: RecordingOutput, _ path: String) -> String {
    do throws(RecordingError) { try output.start(settings, to: path) } catch { return error.code.rawValue }
    return "none"
  }
}

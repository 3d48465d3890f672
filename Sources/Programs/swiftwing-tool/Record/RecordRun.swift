import ArgumentParser
import Capture
import Console
import Corpora
import CorpusRecording
import Harness
import Imagery
import Recording
import Replay

/// One recording, from opening the camera to its outcome.
struct RecordRun: Sendable {
  let source: String
  let path: String
  let settings: RecordingSettings
  /// The conditions that the camera holds during the recording.
  var conditions = RecordingConditions()
  /// The length of the recording. Nil to record until the source ends, or until ^C.
  let limit: Duration?

  /// The time that a device may adapt to the light before the conditions are held.
  private static let adaptation = Duration.seconds(1)

  /// Records.
  /// - Throws: the reason why the recording could not start.
  func outcome() async throws -> RecordOutcome {
    try await outcome(of: SourceSpecification(source).makeSource(corpusRoots: CorpusRoots.standard()))
  }

  /// Records from an opened source.
  /// - Parameter camera: the source that `source` specifies.
  func outcome(of camera: any CameraSource) async throws -> RecordOutcome {
    var configuration = SessionConfiguration()
    configuration.inactivityTimeout = nil
    let session = CaptureSession(source: camera, configuration: configuration)
    let output = RecordingOutput(folder: .corpus)
    await session.add(output)
    do {
      return try await end(session, output, ending: try await record(session, output))
    } catch {
      // Stops what was started. A file without a frame is removed.
      _ = try? await output.stop()
      await session.stop()
      throw error
    }
  }

  private func record(_ session: CaptureSession, _ output: RecordingOutput) async throws -> RecordEnding {
    try await session.prewarm()
    let recording = Task { try await film(session, output) }
    let watch = Interrupts.Watch { _ in recording.cancel() }
    defer { watch.end() }
    var ending: RecordEnding
    do { ending = try await recording.value } catch {
      // A cancellation by ^C can appear as many different errors.
      guard watch.isHeard else { throw error }
      ending = await RecordEnding(of: session)
    }
    ending.isInterrupted = watch.isHeard
    return ending
  }

  /// Starts the recording, and waits until its time is over, the source ends, or the recording ends by itself.
  private func film(_ session: CaptureSession, _ output: RecordingOutput) async throws -> RecordEnding {
    var settings = settings
    settings.mount = await session.camera?.mount.orientation
    let interval = await session.format?.frameInterval ?? FrameInterval(framesPerSecond: 30)
    let conditions = await possibleConditions(of: session)
    guard conditions != RecordingConditions() else {
      try output.start(settings, to: path, interval: interval)
      try await session.start()
      return await wait(session, output)
    }
    try await session.start()
    try await Task.sleep(for: Self.adaptation)
    let hold = try await output.start(
      settings, to: path, interval: interval, holding: conditions, of: session)
    for refusal in hold.results.compactMap(\.refusal) { Terminal.tell("note: \(refusal)") }
    let ending = await wait(session, output)
    // The session must still run, so that the device's controls can be restored.
    _ = try await output.stop()
    await hold.isReleased()
    return ending
  }

  /// Returns the requested conditions that the camera can hold. A source that plays pictures can hold none, and its first frame
  /// must not be missed.
  private func possibleConditions(of session: CaptureSession) async -> RecordingConditions {
    guard conditions != RecordingConditions() else { return conditions }
    await session.set([])
    let controls = await session.controls
    func isMissing(_ control: CameraControl) -> Bool {
      if controls.capability(control)?.isSettable == true { return false }
      let reason = controls.capability(control)?.absence ?? "the device has no control for it"
      Terminal.tell(
        "note: the settings ask for \(control.rawValue), but \(reason); `--no-settings` ignores the settings")
      return true
    }
    var possible = conditions
    if conditions.torch != nil, isMissing(.torch) { possible.torch = nil }
    if conditions.locksExposure, isMissing(.exposureLock) { possible.locksExposure = false }
    if conditions.locksWhiteBalance, isMissing(.whiteBalanceLock) { possible.locksWhiteBalance = false }
    return possible
  }

  private func wait(_ session: CaptureSession, _ output: RecordingOutput) async -> RecordEnding {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await state in await session.states() where state == .ended || state.failure != nil { return }
      }
      group.addTask { for await state in output.states() where state == .idle { return } }
      if let limit { group.addTask { try? await Task.sleep(for: limit) } }
      group.addTask { await showProgress(of: output) }
      await group.next()
      group.cancelAll()
    }
    Terminal.endProgress()
    return await RecordEnding(of: session)
  }

  /// Shows the progress until it is cancelled.
  private func showProgress(of output: RecordingOutput) async {
    while (try? await Task.sleep(for: .milliseconds(500))) != nil {
      guard let progress = output.progress else { continue }
      Terminal.progress(RecordOutcome.line(progress))
    }
  }

  private func end(
    _ session: CaptureSession, _ output: RecordingOutput, ending: RecordEnding
  ) async throws -> RecordOutcome {
    let recording: Recording
    do { recording = try await finished(output) } catch {
      // There was no recording to stop.
      if ending.isInterrupted { throw ExitCode(.interrupted) }
      throw error
    }
    await session.stop()
    if recording.progress.written == 0 {
      // There is no file to describe.
      if let refusal = recording.failure { throw refusal }
      if let failure = ending.failure { throw failure }
      if ending.isInterrupted { throw ExitCode(.interrupted) }
      let reason =
        ending.interruption.map { ": \($0.clause)" }
        ?? "; check that it works, and end other programs that use it"
      throw Failure("cannot record to \(path): no picture came from \(source)\(reason)", .sourceUnavailable)
    }
    return RecordOutcome(recording, of: source, ending)
  }

  /// Stops the recording. Returns the latest one if it was stopped already.
  private func finished(_ output: RecordingOutput) async throws -> Recording {
    do throws(RecordingError) { return try await output.stop() } catch {
      guard error.code == .notRecording, let latest = output.latest else { throw error }
      return latest
    }
  }
}

extension SessionState {
  /// The error that made the session fail; only the user can resolve it. Nil in other states.
  var failure: CameraError? {
    if case .failed(let error) = self { error } else { nil }
  }
}

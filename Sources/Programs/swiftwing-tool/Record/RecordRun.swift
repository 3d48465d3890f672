import ArgumentParser
import Capture
import Console
import Corpora
import CorpusRecording
import Harness
import Imagery
import Recording
import Replay
import System

/// One recording, from opening the camera to what came of it.
struct RecordRun: Sendable {
  let source: String
  let path: String
  let settings: RecordingSettings
  /// What the camera holds meanwhile.
  var conditions = RecordingConditions()
  /// Nil until the source ends, or ^C.
  let limit: Duration?

  /// How long a device may adapt itself to the light before that is held.
  private static let adaptation = Duration.seconds(1)

  /// - Throws: what kept it from beginning.
  func outcome() async throws -> RecordOutcome {
    try await outcome(of: SourceSpecification(source).makeSource(corpusRoots: CorpusRoots.standard()))
  }

  /// - Parameter camera: what `source` names.
  func outcome(of camera: any CameraSource) async throws -> RecordOutcome {
    var configuration = SessionConfiguration()
    configuration.inactivityTimeout = nil
    let session = CaptureSession(source: camera, configuration: configuration)
    let output = RecordingOutput(folder: .corpus)
    await session.add(output)
    do {
      return try await end(session, output, ending: try await record(session, output))
    } catch {
      // What was begun is ended, and a file without a frame goes with it.
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
      // What ^C cancels says so in many ways.
      guard watch.isHeard else { throw error }
      ending = await RecordEnding(of: session)
    }
    ending.isInterrupted = watch.isHeard
    return ending
  }

  /// Begins, and waits for the end: of the time, of the source, or its own.
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
    // The session still runs, so that the device can be given back as it was.
    _ = try await output.stop()
    await hold.isReleased()
    return ending
  }

  /// What is asked for and the camera can hold. One that plays pictures can hold nothing, and its first frame is not to be missed.
  private func possibleConditions(of session: CaptureSession) async -> RecordingConditions {
    guard conditions != RecordingConditions() else { return conditions }
    await session.set([])
    let controls = await session.controls
    func isMissing(_ control: CameraControl) -> Bool {
      if controls.capability(control)?.isSettable == true { return false }
      let reason = controls.capability(control)?.absence ?? "the device has no control for it"
      Terminal.tell("note: the settings ask for \(control.rawValue), but \(reason)")
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

  /// Until it is cancelled.
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
      // Before there was anything to stop.
      if ending.isInterrupted { throw ExitCode(.interrupted) }
      throw error
    }
    await session.stop()
    if recording.progress.written == 0 {
      // There is no file of which anything could be told.
      if let refusal = recording.failure { throw refusal }
      if let failure = ending.failure { throw failure }
      if ending.isInterrupted { throw ExitCode(.interrupted) }
      let reason = ending.interruption.map { ": \($0.clause)" } ?? ""
      throw Failure("cannot record to \(path): no picture came from \(source)\(reason)", .sourceUnavailable)
    }
    return RecordOutcome(recording, of: source, ending)
  }

  /// It may have been stopped already.
  private func finished(_ output: RecordingOutput) async throws -> Recording {
    do throws(RecordingError) { return try await output.stop() } catch {
      guard error.code == .notRecording, let latest = output.latest else { throw error }
      return latest
    }
  }
}

extension SessionState {
  /// Why only the user can help now; nil in every other state.
  var failure: CameraError? {
    if case .failed(let error) = self { error } else { nil }
  }
}

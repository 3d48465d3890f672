import Capture
import Corpora
import Display
import Imagery
import Log
import Replay
import System

/// `swiftwing view`: opens a camera, presents its pictures on a surface in memory or on a display, and prints rate and latency.
enum ViewCommand {
  static func run(_ arguments: [String]) -> Int32 {
    let status = show(arguments, since: .now())
    if let trouble = LogSystem.finish() { StandardLines.complain(trouble) }
    // Ending by ^C is not an error.
    if status != 0, status < 128 { for line in LogSystem.takeHistory() { StandardLines.note(line) } }
    return status
  }

  private static func show(_ arguments: [String], since mainTime: MonotonicTime) -> Int32 {
    do {
      let options = try ViewOptions(arguments)
      try LogSystem.begin(trace: options.trace) { StandardLines.note($0) }
      let usual = options.source == nil ? UsualSource.here() : nil
      let specification = try SourceSpecification(options.source ?? usual?.specification ?? "")
      let source = Self.lean(
        try specification.makeSource(corpusRoots: CorpusRoots.standard()), for: options)
      let look = try options.look.map { path throws(ViewOptions.UsageError) in try Self.look(path) }
      if let usual { StandardLines.complain("note: \(usual.reason)") }
      let viewfinder = Viewfinder(
        thread: try MainThread.take(), options: options, source: source, look: look, mainTime: mainTime)
      let status = viewfinder.run()
      // The pictures were shown, but the output could not be written.
      return status == 0 && StandardLines.hasLostOutput ? 1 : status
    } catch let error as ViewOptions.UsageError {
      StandardLines.complain(error.text)
      return 2
    } catch let error as ResourceShortage {
      StandardLines.complain("cannot start the viewfinder: \(error)")
      return 4
    } catch let error as CameraError {
      StandardLines.complain("\(error)")
      return error.isUnavailability ? 4 : 2
    } catch {
      StandardLines.complain("\(error)")
      return 2
    }
  }
}

extension ViewCommand {
  /// Reads the look of `--look`.
  private static func look(_ path: String) throws(ViewOptions.UsageError) -> ColorLookup {
    do throws(LookupError) { return try ColorLookup(file: path) } catch {
      throw ViewOptions.UsageError(text: "the look of --look \(path) cannot be used: \(error)")
    }
  }

  /// The source without the buffers that only photos and a display need.
  private static func lean(_ source: any CameraSource, for options: ViewOptions) -> any CameraSource {
    guard options.display == nil, var camera = source as? V4L2Source else { return source }
    camera.bufferCount = V4L2Source.bufferCountOfPreview
    return camera
  }
}

/// A session, its surface, and the main thread that runs its tasks.
struct Viewfinder {
  let thread: MainThread
  let options: ViewOptions
  let source: any CameraSource
  let look: ColorLookup?
  let mainTime: MonotonicTime

  private final class Outcome: Sendable {
    let status = Locked<Int32?>(nil)
    let counter = Locked(PictureCounter())
    let thread: MainThread

    init(_ thread: MainThread) { self.thread = thread }

    func finish(_ code: Int32) {
      status.withLock { $0 = $0 ?? code }
      thread.nudge()
    }
  }

  func run() -> Int32 {
    let outcome = Outcome(thread)
    var configuration = SessionConfiguration()
    configuration.inactivityTimeout = nil
    let session = CaptureSession(source: source, configuration: configuration, clock: thread)
    let shown: ShownSurface
    do throws(DisplayError) { shown = try ShownSurface(options) { outcome.finish($0) } } catch {
      StandardLines.complain("\(error)")
      return ShownSurface.status(of: error)
    }
    defer { shown.close(isJSON: options.isJSON) }
    let motion: MotionTracker?
    do throws(CameraError) { motion = try follow(session.rotation) } catch {
      StandardLines.complain("\(error)")
      return 4
    }
    defer { motion?.end() }
    let pace = PreviewPace()
    let preview = PreviewOutput(surface: shown.surface) { picture in
      if options.showsOverlay { pace.note(picture) }
      note(picture, outcome)
    }
    preview.look = look
    Task { await live(session, preview, outcome: outcome) }
    if options.showsOverlay { Task { await showOverlay(session, pace) } }
    thread.run {
      if let signal = thread.signal { outcome.status.withLock { $0 = $0 ?? 128 + signal } }
      return outcome.status.withLock { $0 } != nil
    }
    let status = outcome.status.withLock { $0 } ?? 0
    // Stop drawing before the display is released.
    if options.frameLimit == nil || shown.isDisplay { stop(session) }
    return status
  }

  /// Follows the orientation of the device, if requested.
  private func follow(_ rotation: RotationCoordinator) throws(CameraError) -> MotionTracker? {
    guard let request = options.motion else { return nil }
    return try MotionTracker(request, rotation: rotation) { state in
      if options.isJSON { StandardLines.say(MotionLine(state: state, time: .now()).json) }
      if case .lost(let reason) = state {
        StandardLines.complain(
          "the motion sensor is lost, \(reason); pictures keep their angle until it is back")
      }
    }
  }

  private func live(_ session: CaptureSession, _ preview: PreviewOutput, outcome: Outcome) async {
    await session.add(preview)
    do throws(SessionError) {
      try await session.start()
    } catch {
      StandardLines.complain("\(error)")
      if let error = error.cameraError { return outcome.finish(error.isUnavailability ? 4 : 2) }
      return outcome.finish(2)
    }
    for await state in await session.states() {
      if options.isJSON { StandardLines.say(StateLine(state: state, time: .now()).json) }
      if let reason = state.interruption, reason.severity != .silent {
        StandardLines.complain(reason.message)
      }
      if state == .ended { return outcome.finish(0) }
      if case .failed(let error) = state {
        StandardLines.complain("\(error)")
        return outcome.finish(error.isUnavailability ? 4 : 2)
      }
    }
  }

  /// Prints the overlay once a second, with the state of the device at that time.
  private func showOverlay(_ session: CaptureSession, _ pace: PreviewPace) async {
    // From now on the session reads the controls from the device, twice a second.
    _ = await session.controlStates()
    while (try? await Task.sleep(for: .seconds(1))) != nil {
      let overlay = await DebugOverlay(
        format: session.format, controls: session.controls, pace: pace.reading(at: .now()))
      let line = OverlayLine(overlay: overlay)
      StandardLines.say(options.isJSON ? line.json : line.text)
    }
  }

  private func note(_ picture: PresentedPicture, _ outcome: Outcome) {
    let report = outcome.counter.withLock { $0.take(picture) }
    if let first = report.first, options.isJSON { StandardLines.say(first.json(mainTime: mainTime)) }
    if let line = report.line {
      if options.isJSON { StandardLines.say(line.json) } else { StandardLines.say(line.text) }
    }
    guard let limit = options.frameLimit, report.count >= limit else { return }
    if report.count == limit {
      let total = outcome.counter.withLock { $0.total(picture) }
      StandardLines.say(options.isJSON ? total.json : total.text)
    }
    outcome.finish(0)
  }

  private func stop(_ session: CaptureSession) {
    let isStopped = Locked(false)
    Task {
      await session.stop()
      isStopped.withLock { $0 = true }
    }
    thread.run { isStopped.withLock { $0 } }
  }
}

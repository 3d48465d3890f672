import Capture
import Imagery
import Log
import System

/// One recording, from its start to its end: what waits for it, and how far it has come.
final class RecordingTake: Sendable {
  fileprivate struct State {
    var progress: RecordingProgress
    /// Frames that wait for the recording thread, and their bytes.
    var waiting = 0
    var waitingBytes = 0
    /// The exposure of the frame that came last, its arrival, and what its camera said of its clock.
    var latest: MonotonicTime?
    var arrival: MonotonicTime?
    var clockSteps = 0
    var isClosed = false
  }

  /// How much may wait. What is over the bounds is dropped: at 30 frames a second two seconds, unless that is more than 64 MB.
  struct Bounds: Sendable {
    var frames = 60
    var bytes = 64 << 20
    /// So many always may.
    var least = 4
  }

  let path: String
  private let state: Locked<State>
  private let bounds: Bounds
  /// From frame to frame, beyond which nothing came.
  private let longestStep: Duration
  /// Frames that were exposed before are not its own; nil where the next one is, whenever that was exposed.
  private let earliest: MonotonicTime?
  private let writer: RecordingWriter
  /// Who has it writes or closes the file. The recording thread works through what waits while its session ends, and somebody else may
  /// want to close the file meanwhile.
  private let pen = Locked(())

  init(_ writer: RecordingWriter, bounds: Bounds, earliest: MonotonicTime? = nil) {
    self.earliest = earliest
    path = writer.path
    var progress = RecordingProgress(path: writer.path)
    progress.startTime = RecordingWriter.secondsSince1970()
    state = Locked(State(progress: progress))
    longestStep = max(.seconds(1), writer.interval.duration * 4)
    self.writer = writer
    self.bounds = bounds
    Log.recording.info("began \(path)")
  }

  var progress: RecordingProgress { state.withLock { $0.progress } }

  // MARK: On the capture thread

  /// Whether the frame may wait; otherwise it is dropped.
  func admit(_ frame: Frame) -> Bool {
    let bytes = frame.byteCount
    if isEarly(frame) { return false }
    return state.withLock { state in
      if state.isClosed { return false }
      state.noteStep(to: frame, longestStep)
      let isRoom =
        state.waiting < bounds.least
        || (state.waiting < bounds.frames && state.waitingBytes + bytes <= bounds.bytes)
      guard isRoom else {
        state.progress.dropped += 1
        Log.fate("recording: no room", of: frame)
        return false
      }
      state.waiting += 1
      state.waitingBytes += bytes
      return true
    }
  }

  /// A camera whose clock is wrong must not keep all its frames from being recorded, so that this is for a few intervals only.
  private func isEarly(_ frame: Frame) -> Bool {
    guard let earliest else { return false }
    return frame.exposureTime < earliest && frame.arrivalTime < earliest + longestStep
  }

  /// Frames were kept back; the next one comes.
  func note(_ gap: StreamGap) {
    state.withLock { state in
      // Before the first frame nothing lacks.
      guard !state.isClosed, state.latest != nil else { return }
      state.progress.withheld += gap.missing
      state.progress.addGap(gap.duration)
      state.latest = gap.end
    }
  }

  /// It was admitted, and there is no thread to take it.
  func refuse(_ frame: Frame) {
    Log.fate("recording: refused", of: frame)
    state.withLock { state in
      state.leave(frame.byteCount)
      state.progress.dropped += 1
    }
  }

  // MARK: On the recording thread

  /// The frame waits no more.
  func leave(_ frame: Frame) { state.withLock { $0.leave(frame.byteCount) } }

  /// - Returns: why the recording must end, if it must.
  func write(_ frame: Frame) -> Recording.End? {
    pen.withLock { _ in
      if state.withLock({ $0.isClosed }) { return nil }
      let outcome = writer.write(frame)
      let (byteCount, duration, jumps) = (writer.byteCount, writer.duration, writer.clockJumps)
      return state.withLock { state in
        switch outcome {
        case .written(let isReencoded):
          Log.fate("recording: written", of: frame)
          state.progress.add(frame.exposureTime, byteCount, duration: duration)
          state.progress.reencoded += isReencoded ? 1 : 0
        case .damaged:
          state.progress.damaged += 1
          Log.fate("recording: damaged", of: frame)
        case .mustEnd(let end): return end
        }
        state.progress.clockJumps = jumps
        return nil
      }
    }
  }

  /// The end of it; a frame that is being written is waited for.
  /// - Returns: nil when it has ended already.
  func close(_ end: Recording.End) -> Recording? {
    pen.withLock { _ in
      let isFirst = state.withLock { state in
        defer { state.isClosed = true }
        return !state.isClosed
      }
      guard isFirst else { return nil }
      var recording = Recording(progress: progress, end: end)
      writer.close(&recording)
      Log.recording.info(
        "ended \(path): \(end), \(progress.written) frames written, \(progress.dropped) dropped")
      return recording
    }
  }
}

extension RecordingTake.State {
  fileprivate mutating func leave(_ byteCount: Int) {
    waiting -= 1
    waitingBytes -= byteCount
  }

  /// Between exposures; where the clock has stepped, that is no gap in which frames arrived.
  fileprivate mutating func noteStep(to frame: Frame, _ longest: Duration) {
    if let latest, frame.exposureTime.nanoseconds > latest.nanoseconds {
      var (step, overflow) = frame.exposureTime.nanoseconds.subtractingReportingOverflow(latest.nanoseconds)
      if frame.clockSteps != clockSteps, let arrival {
        step = min(step, (frame.arrivalTime - arrival).nanoseconds)
      }
      if !overflow, .nanoseconds(step) > longest { progress.addGap(.nanoseconds(step)) }
    }
    latest = frame.exposureTime
    arrival = frame.arrivalTime
    clockSteps = frame.clockSteps
  }
}

extension RecordingProgress {
  fileprivate mutating func add(_ exposure: MonotonicTime, _ byteCount: Int64, duration: Duration) {
    written += 1
    firstExposure = firstExposure ?? exposure
    lastExposure = exposure
    self.byteCount = byteCount
    self.duration = duration
  }

  fileprivate mutating func addGap(_ duration: Duration) {
    gaps += 1
    longestGap = max(longestGap, duration)
  }
}

extension Frame {
  /// Of all its planes.
  fileprivate var byteCount: Int { image.planes.reduce(0) { $0 + $1.byteCount } }
}

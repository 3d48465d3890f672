import Capture
import Imagery
import Log
import System

/// One recording from start to end: its waiting frames and its progress.
final class RecordingTake: Sendable {
  fileprivate struct State {
    var progress: RecordingProgress
    /// The number of frames that wait for the recording thread.
    var waiting = 0
    /// The number of bytes of the waiting frames.
    var waitingBytes = 0
    /// The time when the exposure of the last frame began.
    var latest: MonotonicTime?
    /// The arrival of the last frame.
    var arrival: MonotonicTime?
    /// The camera's clock steps at the last frame (`Frame.clockSteps`).
    var clockSteps = 0
    var isClosed = false
  }

  /// The limits of waiting frames. Frames beyond them are dropped: at 30 frames a second after two seconds, or at 64 MB.
  struct Bounds: Sendable {
    var frames = 60
    var bytes = 64 << 20
    /// The number of frames that may always wait.
    var least = 4
  }

  let path: String
  private let state: Locked<State>
  private let bounds: Bounds
  /// The time between two frames above which there is a gap.
  private let longestStep: Duration
  /// Frames exposed before this time are not recorded; nil records from the next frame on, whenever it was exposed.
  private let earliest: MonotonicTime?
  private let writer: RecordingWriter
  /// Guards writing and closing the file. While the session ends, the recording thread processes waiting frames, and another thread may
  /// want to close the file.
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

  /// Whether the frame is too early. Applies for a few intervals only, since a wrong camera clock must not exclude all frames.
  private func isEarly(_ frame: Frame) -> Bool {
    guard let earliest else { return false }
    return frame.exposureTime < earliest && frame.arrivalTime < earliest + longestStep
  }

  /// Notes that frames were withheld, before the next one comes.
  func note(_ gap: StreamGap) {
    state.withLock { state in
      // Before the first frame nothing is missing.
      guard !state.isClosed, state.latest != nil else { return }
      state.progress.withheld += gap.missing
      state.progress.addGap(gap.duration)
      state.latest = gap.end
    }
  }

  /// Notes that an admitted frame was dropped, because there is no thread to take it.
  func refuse(_ frame: Frame) {
    Log.fate("recording: refused", of: frame)
    state.withLock { state in
      state.leave(frame.byteCount)
      state.progress.dropped += 1
    }
  }

  // MARK: On the recording thread

  /// Notes that the frame no longer waits.
  func leave(_ frame: Frame) { state.withLock { $0.leave(frame.byteCount) } }

  /// - Returns: the reason why the recording must end; nil if it continues.
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

  /// Ends the recording, after a frame that is being written.
  /// - Returns: nil if it has ended already.
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

  /// Notes a gap between exposures. If the clock has stepped, only a gap between arrivals counts.
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
  fileprivate var byteCount: Int { image.planes.reduce(0) { $0 + $1.byteCount } }
}

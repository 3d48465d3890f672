public import Capture
public import Imagery
public import System

/// Writes the frames of a session to a video file, or to a corpus: the counterpart of `AVCaptureMovieFileOutput`.
///
/// ```swift
/// let output = RecordingOutput()
/// await session.add(output)
/// try output.start(to: "film.mp4")
/// try await session.start()
/// // …
/// let recording = try await output.stop()
/// print("\(recording.progress.written) frames, \(recording.progress.dropped) dropped")
/// ```
///
/// A path that ends in `.mp4`, `.m4v` or `.mov` becomes a fragmented video, any other path a folder of the kind
/// given to `init(clock:folder:)`. The time of a frame in the file is that of its
/// exposure, to the microsecond, so a variable frame rate is preserved. Each frame is written when the next one has
/// come: if the process is killed, or the disk is full, the file is playable, and lacks only the last frame and those that waited.
///
/// Zoom and bias that the camera leaves to its outputs are applied: a video is cropped by `FrameSettings.digitalZoom`, at its size, and brightened by
/// `digitalExposureBias`. A corpus has the camera's own pictures, with both values.
///
/// Frames wait in a bounded queue: 60 frames, or 64 MB. Frames beyond are dropped and counted. An interruption, or a still of another size
/// that the session takes, is a gap in the file (``RecordingProgress/gaps``).
public final class RecordingOutput: FrameOutput {
  private enum Job: Sendable {
    case frame(Frame, RecordingTake)
    case end(RecordingTake)
  }

  fileprivate struct State {
    var take: RecordingTake?
    var isStarting = false
    var isFinishing = false
    /// Whether a `stop()` is waiting for its recording.
    var isStopping = false
    /// A recording that ended by itself and was not returned by `stop()` yet.
    var ended: Recording?
    var latest: Recording?
    var waiter: CheckedContinuation<Recording, Never>?
    var told = RecordingState.idle
  }

  /// The streams of the output's events.
  fileprivate struct News: Sendable {
    let states = Broadcast<RecordingState>()
    let ends = Broadcast<Recording>()
  }

  private let state: Locked<State>
  private let news = News()
  private let worker: OutputWorker<Job>
  private let bounds: RecordingTake.Bounds
  private let folder: RecordingFolder?
  let clock: any CaptureClock

  /// - Parameters:
  ///   - clock: the session's clock.
  ///   - folder: the kind of recording for a path that is no video, such as `RecordingFolder.corpus` of `CorpusRecording`; nil, the default, refuses
  ///     it.
  public convenience init(clock: any CaptureClock = SystemClock(), folder: RecordingFolder? = nil) {
    self.init(clock: clock, folder: folder, bounds: RecordingTake.Bounds()) { $0 }
  }

  /// - Parameter alter: returns the frame to write in place of a frame, or nil for none; tests break recordings with it.
  package convenience init(
    clock: any CaptureClock, folder: RecordingFolder? = nil,
    altering alter: @escaping @Sendable (Frame) -> Frame?
  ) {
    self.init(clock: clock, folder: folder, bounds: RecordingTake.Bounds(), alter)
  }

  init(
    clock: any CaptureClock, folder: RecordingFolder? = nil, bounds: RecordingTake.Bounds,
    _ alter: @escaping @Sendable (Frame) -> Frame?
  ) {
    let (state, news) = (Locked(State()), news)
    self.state = state
    self.folder = folder
    self.bounds = bounds
    self.clock = clock
    // The queue has two places more than frames: one for the end of a recording
    // behind all waiting frames, one for the end of the previous recording.
    worker = OutputWorker(name: "recording", clock: clock, capacity: bounds.frames + 2, overflow: .refuse) {
      job in
      switch job {
      case .frame(let frame, let take):
        take.leave(frame)
        guard let altered = alter(frame) else { return }
        if let end = take.write(altered) { return RecordingOutput.close(take, end, state: state, news: news) }
        RecordingOutput.change(state, news) { _ in }
      case .end(let take): RecordingOutput.close(take, .stopped, state: state, news: news)
      }
    }
  }

  /// Ends a recording that nobody ended: its session is gone, or had never begun.
  deinit {
    if let take = state.withLock({ $0.take }) { Self.close(take, .sessionEnded, state: state, news: news) }
  }

  /// Changes the state and publishes it in one step, so that listeners get all states in order.
  private static func change<Result, Failure: Error>(
    _ state: Locked<State>, _ news: News,
    body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try state.withLock { state throws(Failure) in
      let result = try body(&state)
      if state.now != state.told {
        state.told = state.now
        news.states.tell(state.now)
      }
      return result
    }
  }

  // MARK: Requests

  /// Begins a recording; its first frame is the next one that comes. The session need not run yet.
  /// - Parameters:
  ///   - settings: copied; a later change applies to the next recording.
  ///   - path: the path of a new file in an existing folder; without the ending of a video, the path of a folder to be created.
  ///   - interval: the nominal time between two frames: it decides the rate in the file, and the duration of the last frame.
  /// - Throws: `alreadyRecording`, which leaves the recording as it is; `destination`, `settings`, `noEncoder`.
  public func start(
    _ settings: RecordingSettings = RecordingSettings(), to path: String,
    interval: FrameInterval = FrameInterval(framesPerSecond: 30)
  ) throws(RecordingError) {
    begin(try prepare(settings, to: path, interval: interval))
  }

  /// Claims the path; until `begin` no other recording can start.
  func prepare(
    _ settings: RecordingSettings, to path: String, interval: FrameInterval
  ) throws(RecordingError) -> RecordingWriter {
    try state.withLock { state throws(RecordingError) in try state.reserve(for: path) }
    do throws(RecordingError) {
      // Do this without the lock, because the capture thread would wait for it.
      return try RecordingWriter(
        settings, to: path, folder: folder, interval: interval, created: RecordingWriter.timeOfDay())
    } catch {
      state.withLock { $0.isStarting = false }
      throw error
    }
  }

  /// Begins with the next frame, or with the first one that is exposed from `earliest` on.
  func begin(_ writer: RecordingWriter, from earliest: MonotonicTime? = nil) {
    let take = RecordingTake(writer, bounds: bounds, earliest: earliest)
    Self.change(state, news) { state in
      state.take = take
      state.ended = nil
      state.isStarting = false
    }
  }

  /// Ends the recording, and waits until all its frames are in the file.
  /// - Returns: the recording. A recording that has ended by itself is returned, too, but
  ///   only once. A full disk is not thrown, but reported in `Recording.failure`.
  /// - Throws: `notRecording` if there is no recording, or if it is being stopped already.
  public func stop() async throws(RecordingError) -> Recording {
    let take: RecordingTake
    switch Self.change(state, news, body: { $0.stop() }) {
    case .none:
      throw RecordingError(
        .notRecording, "stop recording", reason: "nothing is being recorded",
        remedy: "start a recording first")
    case .ended(let recording): return recording
    case .ending(let current): take = current
    }
    if !worker.offer(.end(take)) {
      // There is no thread, or it is ending and accepts nothing: close the recording here, without the items that still wait.
      let (state, news) = (state, news)
      await NamedThread.aside(name: "recording-end") { Self.close(take, .stopped, state: state, news: news) }
    }
    return await withCheckedContinuation { continuation in
      let early: Recording? = state.withLock { state in
        guard let ended = state.ended else {
          state.waiter = continuation
          return nil
        }
        state.ended = nil
        state.isStopping = false
        return ended
      }
      if let early { continuation.resume(returning: early) }
    }
  }

  /// The present state.
  public var current: RecordingState { state.withLock { $0.now } }

  /// The progress of the running recording; nil if there is none.
  public var progress: RecordingProgress? { state.withLock { $0.take }?.progress }

  /// The last recording that ended.
  public var latest: Recording? { state.withLock { $0.latest } }

  /// Takes the recording that has ended by itself: it is returned only once, so `stop()` then has none to return.
  package func takeEnded() -> Recording? {
    state.withLock { state in
      // A caller of `stop()` is waiting for it.
      guard !state.isStopping else { return nil }
      return state.ended.take()
    }
  }

  /// A stream of the states, beginning with the present one.
  public func states() -> AsyncStream<RecordingState> {
    state.withLock { news.states.listen(from: [$0.now]) }
  }

  /// A stream of the recordings that ended, each at once, even if nobody calls `stop()`: a full disk is reported here.
  ///
  /// ```swift
  /// for await recording in output.endings() {
  ///   if let reason = recording.unaskedEnd { print(reason) }
  /// }
  /// ```
  public func endings() -> AsyncStream<Recording> { news.ends.listen(from: []) }

  /// Whether a recording to this path would be a video; otherwise it would be a folder, or refused.
  public static func isVideo(_ path: String) -> Bool {
    if case .movie? = try? RecordingTarget(path) { true } else { false }
  }

  /// Whether a recording to this path would be a folder.
  package static func isFolder(_ path: String) -> Bool { (try? RecordingTarget(path)) == .folder }

  // MARK: As an output

  /// Passes the frame to the recording, if there is one. The session calls it.
  public func receive(_ frame: Frame) {
    guard let take = state.withLock({ $0.isFinishing ? nil : $0.take }), take.admit(frame) else { return }
    if !worker.offer(.frame(frame, take)) { take.refuse(frame) }
  }

  /// Counts the frames that the session withheld. The session calls it.
  public func note(_ gap: StreamGap) { state.withLock { $0.isFinishing ? nil : $0.take }?.note(gap) }

  /// True while a recording is under way: the session does not pause for lack of activity.
  public var keepsSessionAwake: Bool { state.withLock { $0.take != nil } }

  /// Starts the recording thread; the session calls it.
  public func begin() throws(ResourceShortage) { try worker.begin() }

  /// Ends the recording thread, and a recording that is under way. The session calls it.
  public func end() {
    worker.end()
    if let take = state.withLock({ $0.take }) { Self.close(take, .sessionEnded, state: state, news: news) }
  }

  private static func close(
    _ take: RecordingTake, _ end: Recording.End, state: Locked<State>, news: News
  ) {
    guard let recording = take.close(end) else { return }
    let waiter = change(state, news) { $0.end(with: recording) }
    news.ends.tell(recording)
    waiter?.resume(returning: recording)
  }
}

extension RecordingOutput.State {
  fileprivate enum Stop {
    case none
    case ended(Recording)
    case ending(RecordingTake)
  }

  fileprivate mutating func reserve(for path: String) throws(RecordingError) {
    guard take == nil, !isStarting, !isStopping else {
      throw RecordingError(
        .alreadyRecording, "record to \(path)", reason: "\(take?.path ?? "another file") is being recorded",
        remedy: "stop that recording first")
    }
    isStarting = true
  }

  fileprivate mutating func stop() -> Stop {
    // The recording that another call stops is for that call.
    if isStopping { return .none }
    if let ended {
      self.ended = nil
      return .ended(ended)
    }
    guard let take, !isFinishing else { return .none }
    isFinishing = true
    isStopping = true
    return .ending(take)
  }

  fileprivate mutating func end(with recording: Recording) -> CheckedContinuation<Recording, Never>? {
    take = nil
    isFinishing = false
    latest = recording
    if waiter == nil { ended = recording } else { isStopping = false }
    return waiter.take()
  }

  fileprivate var now: RecordingState {
    guard let take else { return .idle }
    return isFinishing
      ? .finishing(path: take.path)
      : .recording(path: take.path, hasStoppedCopying: take.progress.reencoded > 0)
  }
}

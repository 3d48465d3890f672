public import Capture
public import Imagery

/// The camera controls that a recording holds, and restores afterwards. By default none.
public struct RecordingConditions: Hashable, Sendable {
  /// Whether exposure time and sensitivity are locked at the beginning (`CaptureSession.lockForRecording()`).
  public var locksExposure: Bool
  /// Whether the white balance is locked at the beginning, unless it is manual already.
  public var locksWhiteBalance: Bool
  /// The level of the torch, 0.001...1, after three flashes that announce the recording; nil leaves the torch alone.
  public var torch: Double?

  /// - Parameter torch: the level of the torch, clamped to 0.001...1; nil leaves the torch alone.
  public init(locksExposure: Bool = false, locksWhiteBalance: Bool = false, torch: Double? = nil) {
    self.locksExposure = locksExposure
    self.locksWhiteBalance = locksWhiteBalance
    self.torch = torch.map { min(max($0, TorchCountIn.levels.lowerBound), TorchCountIn.levels.upperBound) }
  }
}

/// The camera controls that a recording holds until it ends.
public struct RecordingHold: Sendable {
  /// The camera's result for each condition; a refusal does not prevent the recording.
  public let results: [CameraControlResult]
  fileprivate let undoing: Task<Void, Never>

  /// Waits until the recording has ended, for any reason, and everything is restored. Call this before stopping the
  /// session.
  public func isReleased() async { await undoing.value }
}

extension RecordingOutput {
  /// Begins a recording with held camera controls: the torch counts in, then exposure and white balance are locked, then the
  /// recording begins with the first frame exposed after that. When the recording ends, for any reason, all changes are undone.
  ///
  /// ```swift
  /// let conditions = RecordingConditions(locksExposure: true, torch: 0.5)
  /// let hold = try await output.start(to: "film.mp4", holding: conditions, of: session)
  /// // …
  /// let recording = try await output.stop()
  /// await hold.isReleased()
  /// ```
  ///
  /// The session must be running, because the camera must accept the settings. If the device is closed meanwhile, the torch goes out; it is lit
  /// again with the next picture.
  /// - Parameters: as for ``start(_:to:interval:)``; `session` must have this output.
  /// - Throws: the errors of ``start(_:to:interval:)``, before any change of the camera.
  public func start(
    _ settings: RecordingSettings = RecordingSettings(), to path: String,
    interval: FrameInterval = FrameInterval(framesPerSecond: 30), holding conditions: RecordingConditions,
    of session: CaptureSession
  ) async throws(RecordingError) -> RecordingHold {
    let writer = try prepare(settings, to: path, interval: interval)
    let held = await HeldConditions(conditions, of: session)
    let (states, sessionStates) = (states(), await session.states())
    begin(writer, from: clock.now())
    // Neither task keeps the session alive. The first element of each stream is the state before the recording.
    let relighting = Task { [weak session] in
      guard let level = held.torchLevel else { return }
      // The stream runs again, so the torch has gone out with its device.
      for await state in sessionStates.dropFirst() where state == .running {
        await session?.lightTorch(level)
      }
    }
    let undoing = Task { [weak session] in
      for await state in states.dropFirst() where state == .idle { break }
      relighting.cancel()
      await relighting.value
      await held.undo(session)
    }
    return RecordingHold(results: held.results, undoing: undoing)
  }
}

/// The changes of a session for a recording, and the former state.
private struct HeldConditions: Sendable {
  var results: [CameraControlResult] = []
  private var isExposureLocked = false
  private var isWhiteBalanceLocked = false
  /// The level of the torch during the recording and before it; nil if it was left alone.
  private var torch: (during: Double, before: Double)?

  init(_ conditions: RecordingConditions, of session: CaptureSession) async {
    // An empty command makes the session read the device's controls.
    await session.set([])
    let before = await session.controls
    if let level = conditions.torch {
      let result = await session.lightTorch(level, countsIn: true)
      results.append(result)
      if result.refusal == nil { torch = (level, before.torch) }
    }
    // Leave a lock by another caller alone: only that caller may undo it.
    if conditions.locksExposure, !before.isLockedForRecording {
      let result = await session.lockForRecording()
      results.append(result)
      isExposureLocked = result.refusal == nil
    }
    if conditions.locksWhiteBalance, before.isWhiteBalanceAutomatic {
      let result = await session.set(.whiteBalanceLock, to: .flag(true))
      results.append(result)
      isWhiteBalanceLocked = result.refusal == nil
    }
  }

  /// The level of the torch during the recording, if it was lit for it.
  var torchLevel: Double? { torch?.during }

  func undo(_ session: CaptureSession?) async {
    guard let session else { return }
    if isWhiteBalanceLocked {
      await session.set(.whiteBalanceLock, to: .flag(false))
      // Forget the wish for the lock.
      await session.reset([.whiteBalanceLock])
    }
    if isExposureLocked { await session.unlockAfterRecording() }
    if let torch { await session.lightTorch(torch.before) }
  }
}

extension ControlsState {
  /// Whether the device may change the white balance itself.
  fileprivate var isWhiteBalanceAutomatic: Bool {
    let mode = values[.whiteBalanceMode] ?? wishes[.whiteBalanceMode]
    return values[.whiteBalanceLock] != .flag(true) && (mode == nil || mode == .choice("auto"))
  }
}

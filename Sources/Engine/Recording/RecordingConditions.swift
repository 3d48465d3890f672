public import Capture
public import Imagery

/// What of a camera is held while something is recorded, and given back afterwards. By default nothing.
public struct RecordingConditions: Hashable, Sendable {
  /// Exposure time and sensitivity stay as they are at the beginning (`CaptureSession.lockForRecording()`).
  public var locksExposure: Bool
  /// The white balance stays as it is at the beginning, unless it is manual already.
  public var locksWhiteBalance: Bool
  /// The torch shines with this level, 0.001...1, after three flashes that say that the recording begins; nil leaves it alone.
  public var torch: Double?

  /// - Parameter torch: clamped to 0.001...1.
  public init(locksExposure: Bool = false, locksWhiteBalance: Bool = false, torch: Double? = nil) {
    self.locksExposure = locksExposure
    self.locksWhiteBalance = locksWhiteBalance
    self.torch = torch.map { min(max($0, TorchCountIn.levels.lowerBound), TorchCountIn.levels.upperBound) }
  }
}

/// What a recording holds of its camera, until it ends.
public struct RecordingHold: Sendable {
  /// What the camera made of each condition; nothing that it refuses keeps a recording from beginning.
  public let results: [CameraControlResult]
  fileprivate let undoing: Task<Void, Never>

  /// Waits until the recording has ended, however that was, and everything is as it was before. Who stops the session afterwards waits for
  /// this first.
  public func isReleased() async { await undoing.value }
}

extension RecordingOutput {
  /// Begins a recording for which the camera holds still: the torch counts in, then exposure and white balance are locked, then the
  /// recording begins, with the first frame that is exposed after that. When it has ended, also by itself, all that was changed is undone.
  ///
  /// ```swift
  /// let conditions = RecordingConditions(locksExposure: true, torch: 0.5)
  /// let hold = try await output.start(to: "film.mp4", holding: conditions, of: session)
  /// // …
  /// let recording = try await output.stop()
  /// await hold.isReleased()
  /// ```
  ///
  /// The session must run, or there is no camera that could hold anything. A device that is closed meanwhile puts its torch out; it is lit
  /// again with the next picture.
  /// - Parameters: as ``start(_:to:interval:)``; `session` is the one that has this output.
  /// - Throws: as ``start(_:to:interval:)``, before anything of the camera is changed.
  public func start(
    _ settings: RecordingSettings = RecordingSettings(), to path: String,
    interval: FrameInterval = FrameInterval(framesPerSecond: 30), holding conditions: RecordingConditions,
    of session: CaptureSession
  ) async throws(RecordingError) -> RecordingHold {
    let writer = try prepare(settings, to: path, interval: interval)
    let held = await HeldConditions(conditions, of: session)
    let (states, sessionStates) = (states(), await session.states())
    begin(writer, from: clock.now())
    // Neither keeps the session alive. Of each the first state is that of before.
    let relighting = Task { [weak session] in
      guard let level = held.torchLevel else { return }
      // Pictures come again: the torch has gone out with its device.
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

/// What was changed of a session for a recording, and what it was before.
private struct HeldConditions: Sendable {
  var results: [CameraControlResult] = []
  private var isExposureLocked = false
  private var isWhiteBalanceLocked = false
  /// The level that it has while it records, and had before; nil where it was left alone.
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
    // The lock of somebody else is theirs to undo.
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

  /// What the torch is to have while something is recorded, where it was lit for that.
  var torchLevel: Double? { torch?.during }

  func undo(_ session: CaptureSession?) async {
    guard let session else { return }
    if isWhiteBalanceLocked {
      await session.set(.whiteBalanceLock, to: .flag(false))
      // Wished by nobody any more.
      await session.reset([.whiteBalanceLock])
    }
    if isExposureLocked { await session.unlockAfterRecording() }
    if let torch { await session.lightTorch(torch.before) }
  }
}

extension ControlsState {
  /// The device may change it by itself.
  fileprivate var isWhiteBalanceAutomatic: Bool {
    let mode = values[.whiteBalanceMode] ?? wishes[.whiteBalanceMode]
    return values[.whiteBalanceLock] != .flag(true) && (mode == nil || mode == .choice("auto"))
  }
}

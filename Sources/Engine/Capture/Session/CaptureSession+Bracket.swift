public import Imagery
import System

/// One exposure of a bracket.
///
/// This enumeration is closed.
public enum BracketStep: Hashable, Sendable {
  /// Automatic exposure and so many EV more; the counterpart of `AVCaptureAutoExposureBracketedStillImageSettings`.
  case bias(Double)
  /// An exposure time in seconds, and an ISO, nil for the one that holds; the counterpart of
  /// `AVCaptureManualExposureBracketedStillImageSettings`.
  case manual(duration: Double, iso: Double?)

  /// What is set for it.
  var settings: [(control: CameraControl, value: CameraControlValue)] {
    switch self {
    case .bias(let bias): return [(.exposureBias, .number(bias))]
    case .manual(let duration, let iso?):
      return [(.exposureDuration, .number(duration)), (.iso, .number(iso))]
    case .manual(let duration, nil): return [(.exposureDuration, .number(duration))]
    }
  }
}

/// What became of one step of a bracket.
public struct BracketShot: Sendable {
  /// What was asked for.
  public let step: BracketStep
  /// What the camera took of it.
  public let controls: [CameraControlResult]
  /// The photo, or why there is none.
  public let result: Result<CapturedPhoto, any Error>
}

extension CaptureSession {
  /// Takes the same picture with several exposures, one after another, and brings the exposure back to what it was.
  ///
  /// Each photo is of the first frame that has its exposure (`FrameSettings.isSettled`), so a bracket takes some frames a step. The preview goes
  /// on and shows the exposures. Brackets are taken one after another.
  ///
  /// ```swift
  /// let shots = try await session.captureBracket([.bias(-2), .bias(0), .bias(2)], from: photos)
  /// ```
  /// - Parameters:
  ///   - steps: exposures, in the order they are taken.
  ///   - patience: how long the camera may need to settle, for each step.
  /// - Returns: one shot for each step, in their order, each with a photo or the reason why there is none.
  /// - Throws: as ``capturePhoto(_:from:)``, when the bracket cannot begin. When the task is cancelled, `CancellationError` once the exposure has
  ///   been brought back.
  public func captureBracket(
    _ steps: [BracketStep], _ settings: PhotoSettings = PhotoSettings(), patience: Duration = .seconds(2),
    from output: PhotoOutput
  ) async throws -> [BracketShot] {
    try await waitForTurn(afterBracket: true)
    let task = Task { try await takeBracket(steps, settings, patience: patience, output: output) }
    bracket = task
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  private func takeBracket(
    _ steps: [BracketStep], _ settings: PhotoSettings, patience: Duration, output: PhotoOutput
  ) async throws -> [BracketShot] {
    defer {
      bracket = nil
      turns.tell(())
    }
    _ = try await press(output)
    let before = BracketRestoration(await currentControls())
    var shots: [BracketShot] = []
    for step in steps where !Task.isCancelled {
      shots.append(await take(step, settings, patience: patience, output: output))
    }
    // Not cancelled with the bracket.
    await Task { await restore(before, after: steps) }.value
    try Task.checkCancellation()
    return shots
  }

  /// What the device is set to, read for this: before somebody operates it or listens, nothing of it is.
  private func currentControls() async -> ControlsState {
    // A request for nothing, which unlike `ControlOrder.watch` is answered.
    await set([])
    return controls
  }

  private func take(
    _ step: BracketStep, _ settings: PhotoSettings, patience: Duration, output: PhotoOutput
  ) async -> BracketShot {
    if case .bias = step, isExposureManual { await set(.exposureMode, to: .choice("auto")) }
    let results = await set(step.settings)
    if let refused = results.first(where: { $0.refusal != nil }) {
      return BracketShot(
        step: step, controls: results, result: .failure(SessionError.exposureRefused(refused)))
    }
    // A device forgets its bias with the automatic exposure; the engine's own is taken back.
    if case .manual = step, controls.digitalExposureBias != 0 { await set(.exposureBias, to: .number(0)) }
    // Without a picture the camera keeps what was set for later, and refuses nothing.
    guard machine.state == .running else {
      return BracketShot(
        step: step, controls: results, result: .failure(SessionError.noPicture(machine.state)))
    }
    let (since, answer) = (clock.now(), PhotoAnswer())
    let request = PhotoRequest(
      pressed: since, settings: settings, camera: camera, answer: answer,
      accepts: { $0.exposureTime >= since && $0.settings.isSettled })
    let limit = clock.schedule(at: since + patience) { [weak output] in
      output?.abandon(request, because: .exposureNotReached(after: patience))
    }
    defer { limit.cancel() }
    do {
      let photo = try await take(request, from: output)
      return BracketShot(step: step, controls: results, result: .success(photo))
    } catch {
      return BracketShot(step: step, controls: results, result: .failure(error))
    }
  }

  private var isExposureManual: Bool {
    (controls.wishes[.exposureMode] ?? controls.values[.exposureMode]) == .choice("manual")
  }

  /// The exposure is what it was. What was not wished before is not wished now, as far as the device starts with it.
  private func restore(_ before: BracketRestoration, after steps: [BracketStep]) async {
    let requests = before.settings(after: steps)
    for settings in requests { await set(settings) }
    let last = Dictionary(requests.joined().map { ($0.control, $0.value) }) { $1 }
    let surplus = last.filter { control, value in
      before.state.wishes[control] == nil && controls.capability(control)?.defaultValue == value
    }
    if !surplus.isEmpty { await reset(Array(surplus.keys)) }
  }
}

/// How the exposure was before a bracket, and what brings it back.
struct BracketRestoration: Sendable {
  let state: ControlsState

  init(_ state: ControlsState) { self.state = state }

  private var wasManual: Bool {
    (state.wishes[.exposureMode] ?? state.values[.exposureMode]) == .choice("manual")
  }

  typealias Request = [(control: CameraControl, value: CameraControlValue)]

  /// What these were wished to be, or were.
  private func former(_ controls: [CameraControl]) -> Request {
    controls.compactMap { control in
      (state.wishes[control] ?? state.values[control]).map { (control: control, value: $0) }
    }
  }

  /// Requests, one after another: a mode comes before what it allows.
  func settings(after steps: [BracketStep]) -> [Request] {
    let hasManual = steps.contains { if case .manual = $0 { true } else { false } }
    // A manual step takes back the engine's own.
    let isBiasOther =
      steps.contains { if case .bias = $0 { true } else { false } }
      || (hasManual && state.digitalExposureBias != 0)
    var requests: [Request] = []
    if !wasManual {
      // Not every device chooses its sensitivity by itself again; what it does choose it may be told before.
      if hasManual { requests += [former([.exposureDuration, .iso]), former([.exposureMode])] }
    } else if isBiasOther {
      // A bias can be set while the exposure is automatic only.
      requests.append([(control: .exposureMode, value: .choice("auto"))])
    }
    if isBiasOther {
      requests.append([(control: .exposureBias, value: state.values[.exposureBias] ?? .number(0))])
    }
    if wasManual { requests.append(former([.exposureMode, .exposureDuration, .iso])) }
    return requests.filter { !$0.isEmpty }
  }
}

extension SessionError {
  /// The camera does not take the exposure of a step.
  static func exposureRefused(_ result: CameraControlResult) -> SessionError {
    SessionError(
      .exposureRefused,
      "the photo was not taken: the camera did not set \(result.control) to \(result.wanted): \(result.refusal ?? "no reason was given")"
    )
  }

  /// No frame had the exposure in time.
  static func exposureNotReached(after patience: Duration) -> SessionError {
    let seconds = (patience.milliseconds / 100).rounded() / 10
    return SessionError(
      .exposureNotReached,
      "the photo was not taken: the exposure had not settled after \(seconds) s; hold the light steady, or allow more time"
    )
  }
}

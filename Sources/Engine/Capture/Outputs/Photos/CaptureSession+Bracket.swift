public import Imagery
import System

/// One exposure of a bracket.
///
/// This enumeration is closed.
public enum BracketStep: Hashable, Sendable {
  /// Automatic exposure with a bias in EV; the counterpart of `AVCaptureAutoExposureBracketedStillImageSettings`.
  case bias(Double)
  /// An exposure time in seconds, and an ISO, or nil to keep the present one; the counterpart of
  /// `AVCaptureManualExposureBracketedStillImageSettings`.
  case manual(duration: Double, iso: Double?)

  var settings: [(control: CameraControl, value: CameraControlValue)] {
    switch self {
    case .bias(let bias): return [(.exposureBias, .number(bias))]
    case .manual(let duration, let iso?):
      return [(.exposureDuration, .number(duration)), (.iso, .number(iso))]
    case .manual(let duration, nil): return [(.exposureDuration, .number(duration))]
    }
  }
}

/// The result of one step of a bracket.
public struct BracketShot: Sendable {
  /// The requested step.
  public let step: BracketStep
  /// The results of the step's control settings.
  public let controls: [CameraControlResult]
  /// The photo, or the error.
  public let result: Result<CapturedPhoto, any Error>
}

extension CaptureSession {
  /// Takes the same picture with several exposures, one after another, and restores the exposure.
  ///
  /// Each photo is the first frame that has its exposure (`FrameSettings.isSettled`), so each step takes several frames. The preview continues
  /// and shows the exposures. Only one bracket is taken at a time; further calls wait.
  ///
  /// ```swift
  /// let shots = try await session.captureBracket([.bias(-2), .bias(0), .bias(2)], from: photos)
  /// ```
  /// - Parameters:
  ///   - steps: the exposures, in the order in which they are taken.
  ///   - patience: the time that the camera may need to settle, for each step.
  /// - Returns: one shot for each step, in order, each with a photo or an error.
  /// - Throws: the errors of ``capturePhoto(_:from:)`` if the bracket cannot begin; `CancellationError` if the task is cancelled, after the
  ///   exposure has been restored.
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
    // Cancelling the bracket must not cancel the restoration.
    await Task { await restore(before, after: steps) }.value
    try Task.checkCancellation()
    return shots
  }

  /// The present control settings of the device. They are read now, because nothing is read before somebody operates or listens.
  private func currentControls() async -> ControlsState {
    // An empty request; unlike `ControlOrder.watch`, it is answered.
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
    // A device drops its bias together with automatic exposure; the engine's own bias must be reset here.
    if case .manual = step, controls.digitalExposureBias != 0 { await set(.exposureBias, to: .number(0)) }
    // Without a picture, settings are kept for later and none is refused, so check the state.
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

  /// Restores the exposure. Controls that were not requested before are not requested afterwards, if the restored value is the device's default.
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

/// The exposure before a bracket, and the requests that restore it.
struct BracketRestoration: Sendable {
  let state: ControlsState

  init(_ state: ControlsState) { self.state = state }

  private var wasManual: Bool {
    (state.wishes[.exposureMode] ?? state.values[.exposureMode]) == .choice("manual")
  }

  typealias Request = [(control: CameraControl, value: CameraControlValue)]

  /// The requested value of each control, or its present one if none is requested.
  private func former(_ controls: [CameraControl]) -> Request {
    controls.compactMap { control in
      (state.wishes[control] ?? state.values[control]).map { (control: control, value: $0) }
    }
  }

  /// The requests, one after another: a mode comes before the values that need it.
  func settings(after steps: [BracketStep]) -> [Request] {
    let hasManual = steps.contains { if case .manual = $0 { true } else { false } }
    // A manual step resets the engine's own bias.
    let isBiasOther =
      steps.contains { if case .bias = $0 { true } else { false } }
      || (hasManual && state.digitalExposureBias != 0)
    var requests: [Request] = []
    if !wasManual {
      // Some devices keep the manual sensitivity in automatic mode, so set it before the mode; the automatic may change it afterwards.
      if hasManual { requests += [former([.exposureDuration, .iso]), former([.exposureMode])] }
    } else if isBiasOther {
      // A bias can only be set while the exposure is automatic.
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
  static func exposureRefused(_ result: CameraControlResult) -> SessionError {
    SessionError(
      .exposureRefused,
      "the photo was not taken: the camera did not set \(result.control) to \(result.wanted): \(result.refusal ?? "no reason was given")"
    )
  }

  /// No frame reached the exposure in time.
  static func exposureNotReached(after patience: Duration) -> SessionError {
    let seconds = (patience.milliseconds / 100).rounded() / 10
    return SessionError(
      .exposureNotReached,
      "the photo was not taken: the exposure had not settled after \(seconds) s; hold the light steady, or allow more time"
    )
  }
}

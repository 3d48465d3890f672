import Glibc
import Imagery
import System

extension CaptureSession {
  /// The steps of a bracket around the camera's present exposure.
  ///
  /// If the camera has an exposure bias of its own, each step is automatic exposure with a bias. Otherwise, if its exposure can be set manually,
  /// each step is the present exposure time times two to the power of the bias. If that time is longer than a frame, or beyond the camera's range,
  /// the ISO changes too. Only if the camera has neither does the engine brighten the picture. The session must be running.
  /// - Parameter biases: the difference of each step from the present exposure, in EV.
  public func bracketSteps(biases: [Double]) async -> [BracketStep] {
    // An empty request reads the values that the device chose itself.
    await set([])
    let exposures = BracketExposures(controls, longest: format?.frameInterval.duration.milliseconds)
    return biases.map { exposures?.step($0) ?? .bias($0) }
  }
}

/// Computes the manual exposures of a bracket.
struct BracketExposures: Sendable {
  private let duration: Double
  private let durations: ClosedRange<Double>
  /// The present ISO; nil if it cannot be set.
  private let iso: Double?

  /// - Parameter longest: the frame interval in milliseconds; nil if it is unknown.
  /// - Returns: nil for a camera that has a bias of its own, or no exposure time that can be set and read.
  init?(_ controls: ControlsState, longest: Double?) {
    func settable(_ control: CameraControl) -> CameraControlCapability? {
      controls.capability(control).flatMap { $0.isSettable ? $0 : nil }
    }
    guard controls.capability(.exposureBias)?.origin == .software,
      let range = settable(.exposureDuration)?.range, range.lowerBound > 0,
      let now = controls.values[.exposureDuration]?.number, now > 0,
      controls.values[.exposureMode] == nil
        || settable(.exposureMode)?.choices?.contains("manual") ?? false
    else { return nil }
    let most = max(now, min(range.upperBound, (longest ?? .infinity) / 1000))
    duration = now
    durations = min(range.lowerBound, now)...most
    iso = settable(.iso) == nil ? nil : controls.values[.iso]?.number.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The step for a bias. Values beyond the camera's range are requested, too: the camera takes the nearest value, and reports that.
  func step(_ bias: Double) -> BracketStep {
    let wanted = duration * exp2(bias)
    guard let iso else { return .manual(duration: wanted, iso: nil) }
    let reached = min(max(wanted, durations.lowerBound), durations.upperBound)
    return .manual(duration: reached, iso: iso * wanted / reached)
  }
}

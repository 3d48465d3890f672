import Glibc
import Imagery
import System

extension CaptureSession {
  /// The steps of a bracket about the exposure that the camera has now.
  ///
  /// A camera with a bias of its own has automatic exposure with that bias. Another whose exposure can be set by hand has its present exposure
  /// time times two to the power of each bias, and where no time of a frame is as long, or none of the camera as short, its ISO too. Only where
  /// there is neither does the engine brighten the picture. The session must run.
  /// - Parameter biases: in EV.
  public func bracketSteps(biases: [Double]) async -> [BracketStep] {
    // Reads what the device has chosen itself.
    await set([])
    let exposures = BracketExposures(controls, longest: format?.frameInterval.duration.milliseconds)
    return biases.map { exposures?.step($0) ?? .bias($0) }
  }
}

/// How the exposures of a bracket are set by hand.
struct BracketExposures: Sendable {
  private let duration: Double
  private let durations: ClosedRange<Double>
  /// Nil where it cannot be set.
  private let iso: Double?

  /// - Parameter longest: of a frame, in milliseconds; nil where that is not known.
  /// - Returns: nil for a camera that has a bias of its own, or no exposure time that can be set or read.
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

  /// What the camera does not have is asked for all the same: it takes the nearest, and says so.
  func step(_ bias: Double) -> BracketStep {
    let wanted = duration * exp2(bias)
    guard let iso else { return .manual(duration: wanted, iso: nil) }
    let reached = min(max(wanted, durations.lowerBound), durations.upperBound)
    return .manual(duration: reached, iso: iso * wanted / reached)
  }
}

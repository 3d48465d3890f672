import Capture
import JSON
import Recording
import Settings

/// The commands that are refused now, with the reasons: the member `refusals` of the state document, by which a page disables its controls.
extension ViewfinderFacts {
  var refusalsValue: JSONValue {
    .object(
      Dictionary(
        uniqueKeysWithValues: ViewfinderCommandName.allCases.compactMap { name in
          refusal(of: name).map { (name.rawValue, .text($0)) }
        }))
  }

  /// The reason why a command would be refused now, whatever its arguments, as a clause. Nil if it would be performed, or if that depends on its
  /// arguments.
  func refusal(of command: ViewfinderCommandName) -> String? {
    switch command {
    case .startRecording: startRefusal
    case .stopRecording: stopRefusal
    // Photos for the library have no look.
    case .takePhoto: refusal ?? noPicture ?? (books["spines"] == nil ? lookRefusal : nil)
    case .setExposureBias: biasRefusal
    case .setISO: exposureHold ?? unsettable(.iso)
    case .setShutter: exposureHold ?? unsettable(.exposureDuration)
    case .setExposureMode: exposureHold ?? unsettable(.exposureMode)
    case .lockExposure: shutterPriorityHold ?? noCamera ?? unsettable(.exposureLock)
    case .shutterPriority: priorityRefusal
    case .setWhiteBalance: unsettable(.whiteBalanceTemperature)
    case .setTint: unsettable(.tint)
    case .focus: noCamera ?? unsettable(.focusMode)
    case .unlockFocus: unsettable(.focusMode)
    case .setTorch: noCamera ?? unsettable(.torch)
    case .setStabilization: unsettable(.stabilization)
    case .selectFormat: formatRefusal
    case .readSpines:
      books["spines"] == nil
        ? "this viewfinder reads no spines; start it with `swiftwing view --serve --scan`" : nil
    case .editBook:
      books["library"] == nil
        ? "this viewfinder shows no library; start it with `swiftwing view --serve --library`" : nil
    case .setZoom, .cancelZoom, .selectLens, .setLook, .setSetting, .setOverlay, .deletePhoto,
      .deleteRecording,
      .restore, .pause,
      .resume, .retry, .logOut:
      nil
    case .dockMove, .dockStop, .dockMode, .dockFraming, .dockROI, .dockSelect, .dockAnimate, .dockPreset,
      .dockZoom, .dockFeature:
      dockRefusal
    }
  }

  /// The reason why the camera lacks this control. Nil if it has the control, or if nothing is known yet.
  func absence(_ control: CameraControl) -> String? {
    guard !controls.capabilities.isEmpty else { return nil }
    guard let capability = controls.capability(control) else { return "the camera has no control for it" }
    return capability.absence
  }

  private func unsettable(_ control: CameraControl) -> String? {
    absence(control)
      ?? (controls.capability(control)?.isReadOnly == true
        ? "the camera does not let it be set, only read" : nil)
  }

  // MARK: The camera

  private var noCamera: String? {
    switch session {
    case .idle, .paused, .failed, .ended: "no camera is open; it is opened when a client watches"
    case .warm, .starting, .loading, .running, .interrupted: nil
    }
  }

  /// The reason why no picture would be taken. A camera without viewers is not a reason, since it is opened for the picture.
  private var noPicture: String? {
    switch session {
    case .idle, .warm, .ended, .paused(.inactivity), .starting, .loading, .running: nil
    case .paused, .interrupted, .failed: session.whyNoPhotos
    }
  }

  private var formatRefusal: String? {
    if recording != .idle { return "something is recorded; stop the recording first" }
    return camera == nil
      ? "no camera is open yet, so there is no format to choose; wait until pictures come" : nil
  }

  // MARK: Exposure

  private var shutterPriorityHold: String? {
    controls.shutterPriority == nil ? nil : "shutter priority is on; switch it off first"
  }

  private var recordingHold: String? {
    let isHeld = controls.isLockedForRecording || controls.shutterPriority?.isFrozen == true
    return isHeld ? "a recording holds the exposure; stop it first" : nil
  }

  /// The reason why the exposure cannot be set. Nil if it can.
  private var exposureHold: String? {
    recordingHold ?? shutterPriorityHold
      ?? (controls.isExposureLocked ? "the exposure is locked; unlock it first" : nil)
  }

  /// The reason why the bias cannot be set now. Nil if it can.
  private var biasRefusal: String? {
    if let exposureHold { return exposureHold }
    let mode = controls.wishes[.exposureMode] ?? controls.values[.exposureMode]
    if mode == .choice("manual") {
      return "the exposure is manual, and compensation is for automatic exposure; make it automatic first"
    }
    return unsettable(.exposureBias)
  }

  private var priorityRefusal: String? {
    if controls.isLockedForRecording { return recordingHold }
    // Switching it off is always allowed.
    if controls.shutterPriority != nil { return nil }
    return noCamera ?? unsettable(.iso) ?? unsettable(.exposureDuration)
  }

  // MARK: Recordings

  private var startRefusal: String? {
    if recording != .idle { return "another recording is under way; stop that recording first" }
    return noPicture ?? lookRefusal
  }

  private var stopRefusal: String? {
    switch recording {
    case .idle: "nothing is being recorded"
    case .recording: nil
    case .finishing: "the recording is being finished"
    }
  }

  /// The reason why the look that a recording must have cannot be read. Nil if it can, or if no look is required.
  var lookRefusal: String? {
    settings.isLookBakedIn ? look.trouble.map { "its look cannot be used: \($0)" } : nil
  }

  private var dockRefusal: String? {
    guard case .object(let members) = dock, case .string(let reason)? = members["unsupported"] else {
      return nil
    }
    return reason
  }
}

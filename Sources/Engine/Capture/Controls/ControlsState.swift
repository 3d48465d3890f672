/// The state of the controls of a session's camera: capabilities, values, wishes, and the automatics of the session.
///
/// All of it is one value, so that a change of several properties is seen at once.
public struct ControlsState: Hashable, Sendable, Codable {
  /// The capabilities of the prepared camera, including missing controls with the reason. Empty before a camera is prepared. For
  /// a camera that cannot be operated, only the engine's own controls are present.
  public internal(set) var capabilities: [CameraControlCapability] = []
  /// The device's values as they were last read, in automatic modes too.
  public internal(set) var values: [CameraControl: CameraControlValue] = [:]
  /// The values that were set and not reset. They are set again after a change of camera, and when the camera returns.
  public internal(set) var wishes: [CameraControl: CameraControlValue] = [:]
  /// Whether the exposure is locked by command. The lock of a recording does not count.
  public internal(set) var isExposureLocked = false
  /// Whether a recording holds the exposure that it began with.
  public internal(set) var isLockedForRecording = false
  /// The state of shutter priority, which holds the exposure time and lets the sensitivity follow the light; nil while it is off.
  public internal(set) var shutterPriority: ShutterPriorityState?
  /// The state of the focus.
  public internal(set) var focus = FocusState.continuous
  /// The point of the last focus request, from 0 to 1 in the stored picture.
  public internal(set) var focusPoint: CameraControlValue?
  /// The zoom of device and crop together, for the next frame.
  public internal(set) var zoom = 1.0
  /// The part of `zoom` that the outputs do by cropping.
  public internal(set) var digitalZoom = 1.0
  /// The target of a zoom ramp; nil while none is under way.
  public internal(set) var zoomTarget: Double?
  /// The exposure bias in EV that the outputs add if the device has no bias of its own.
  public internal(set) var digitalExposureBias = 0.0
  /// The level of the torch; 0 if it is off.
  public internal(set) var torch = 0.0
  /// Whether all changes have taken effect.
  public internal(set) var isSettled = true
  /// The findings from comparing the wishes with the device, newest last, one sentence each; at most 16.
  public internal(set) var findings: [String] = []
  /// The number of times that the wishes were set again since the session was made: once
  /// for each camera and each return, even if several switches led to it.
  public internal(set) var reapplications = 0

  /// Creates a state without a camera.
  public init() {}

  /// Creates a state with capabilities only, without a camera.
  package init(capabilities: [CameraControlCapability]) { self.capabilities = capabilities }

  /// The capability of a control; nil if the camera does not report the control.
  public func capability(_ control: CameraControl) -> CameraControlCapability? {
    capabilities.first { $0.control == control }
  }
}

/// The state of shutter priority.
public struct ShutterPriorityState: Hashable, Sendable, Codable {
  /// The held exposure time, in seconds.
  public internal(set) var duration: Double
  /// The present sensitivity.
  public internal(set) var iso: Double
  /// Whether a recording holds the sensitivity too.
  public internal(set) var isFrozen = false
}

/// The state of the focus.
///
/// This enumeration is closed.
public enum FocusState: String, Hashable, Sendable, Codable {
  /// The device focuses continuously.
  case continuous
  /// The requested focus is not reached yet; continuous focus follows.
  case focusing
  /// The requested focus is not reached yet; a lock follows.
  case single
  /// The focus is locked where it was reached.
  case locked
  /// The focus was not reached in time, and is locked where it was then.
  case lockedUnreached = "locked-unreached"
  /// The camera has no focus control.
  case unsupported
}

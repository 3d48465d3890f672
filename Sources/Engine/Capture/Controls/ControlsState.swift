/// How a session's camera is operated: what it can do, what it is set to, what is wished of it, and what the session does by itself.
///
/// One value holds what belongs together, so that a change that moves several of them is seen at once.
public struct ControlsState: Hashable, Sendable, Codable {
  /// Every control of the camera that is prepared, and those that it has not with the reason. Empty before a camera is prepared, and
  /// of a camera that cannot be operated but for what the engine does with the pictures.
  public internal(set) var capabilities: [CameraControlCapability] = []
  /// What the device has, as it was read last; in automatic modes too.
  public internal(set) var values: [CameraControl: CameraControlValue] = [:]
  /// What was set and not taken back: it is set again when another camera is taken, and when this one returns.
  public internal(set) var wishes: [CameraControl: CameraControlValue] = [:]
  /// The exposure stays as it is because somebody said so. The lock of a recording is not it.
  public internal(set) var isExposureLocked = false
  /// A recording holds the exposure as it was at its beginning.
  public internal(set) var isLockedForRecording = false
  /// The exposure time is held and the sensitivity follows the light; nil while that is off.
  public internal(set) var shutterPriority: ShutterPriorityState?
  /// What the focus does.
  public internal(set) var focus = FocusState.continuous
  /// Where the focus was asked for last, from 0 to 1 in the stored picture.
  public internal(set) var focusPoint: CameraControlValue?
  /// The zoom of device and crop together, as the next frame has it.
  public internal(set) var zoom = 1.0
  /// Of that, what the outputs do by cropping.
  public internal(set) var digitalZoom = 1.0
  /// Where a ramp of the zoom leads; nil while none is under way.
  public internal(set) var zoomTarget: Double?
  /// EV that the outputs add because the device has no bias of its own.
  public internal(set) var digitalExposureBias = 0.0
  /// The torch is on with this level, or 0.
  public internal(set) var torch = 0.0
  /// Everything is set as it is wished.
  public internal(set) var isSettled = true
  /// What was found when the wishes were held against the device, newest last, one sentence each; at most 16.
  public internal(set) var findings: [String] = []
  /// How often the wishes were set again since the session was made: once for each camera and each return, however many switches led there.
  public internal(set) var reapplications = 0

  /// Of no camera.
  public init() {}

  /// Of a camera that is only spoken of.
  package init(capabilities: [CameraControlCapability]) { self.capabilities = capabilities }

  /// The capability of a control; nil where the camera says nothing of it.
  public func capability(_ control: CameraControl) -> CameraControlCapability? {
    capabilities.first { $0.control == control }
  }
}

/// What shutter priority holds and does.
public struct ShutterPriorityState: Hashable, Sendable, Codable {
  /// The exposure time that is held, in seconds.
  public internal(set) var duration: Double
  /// The sensitivity that it has come to.
  public internal(set) var iso: Double
  /// A recording holds the sensitivity too.
  public internal(set) var isFrozen = false
}

/// What the focus does.
///
/// This enumeration is closed.
public enum FocusState: String, Hashable, Sendable, Codable {
  /// The device focuses by itself, all the time.
  case continuous
  /// A focus was asked for and is not reached yet; continuous focus follows.
  case focusing
  /// A focus was asked for and is not reached yet; the lock follows.
  case single
  /// The focus stays where it was reached.
  case locked
  /// The focus stays where it was when the time to reach it was over.
  case lockedUnreached = "locked-unreached"
  /// The camera has no focus to be operated.
  case unsupported
}

/// A camera that can be operated.
///
/// Its functions are called on the capture thread only, between `open` and `close`, also while it streams, and must return within a frame
/// interval: nobody takes frames meanwhile. What it is asked is within what its capabilities say: the engine clamps and rounds before.
///
/// A camera that changes by itself says so by ``CameraEvent/controlsChanged(_:)``; one that cannot is asked twice a second.
public protocol OperableCamera: Camera {
  /// Every control that it has, and those of ``CameraControl`` that one might expect and it has not, with the reason. Asked after
  /// `prepare(_:)`, and again after a change that may change others.
  func capabilities() -> [CameraControlCapability]

  /// What these are set to now, read from the device. One that cannot be read is left out.
  func values(of controls: [CameraControl]) -> [CameraControl: CameraControlValue]

  /// Sets all of these at once: the device takes all of them before it exposes another frame, as far as it can.
  /// - Returns: one result for each, in the same order, with what was read back.
  func set(_ values: [(control: CameraControl, value: CameraControlValue)]) -> [CameraControlResult]

  /// Frames that are exposed, or on their way, with the former values after `set(_:)` has returned; 3 unless it is said. Only where frames
  /// do not tell their own settings (`CapturedImage.settings`).
  var framesUntilSettled: Int { get }
}

extension OperableCamera {
  /// Three: one that is being exposed, one that is read out, and one that is being processed.
  public var framesUntilSettled: Int { 3 }
}

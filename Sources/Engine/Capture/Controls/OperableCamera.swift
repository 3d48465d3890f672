/// A camera that can be operated.
///
/// Its methods are called only on the capture thread, between `open` and `close`, also during streaming. They must return within a frame
/// interval, because no frames are taken meanwhile. The engine clamps and rounds values to the capabilities before it passes them.
///
/// A camera whose controls change by themselves reports the changes with ``CameraEvent/controlsChanged(_:)``. While somebody operates the
/// camera or listens to its state, the engine also reads each control within ``ControlPolicy/polling``.
public protocol OperableCamera: Camera {
  /// The capabilities of all its controls, and of controls of ``CameraControl`` that one might expect but that are missing,
  /// with the reason. Called after `prepare(_:)`, and again after a change that may change other capabilities.
  func capabilities() -> [CameraControlCapability]

  /// Reads the present values of these controls from the device. A control that cannot be read is left out.
  func values(of controls: [CameraControl]) -> [CameraControl: CameraControlValue]

  /// Sets all values at once: the device applies them before it exposes another frame, as far as it can.
  /// - Returns: one result for each value, in the same order, with the value that was read back.
  func set(_ values: [(control: CameraControl, value: CameraControlValue)]) -> [CameraControlResult]

  /// The number of frames that still have the former values after `set(_:)` has returned, because they are being exposed or are on their way;
  /// by default 3. Used only if frames do not report their settings (`CapturedImage.settings`).
  var framesUntilSettled: Int { get }
}

extension OperableCamera {
  /// Three: one that is being exposed, one that is read out, and one that is being processed.
  public var framesUntilSettled: Int { 3 }
}

import Imagery

/// What a session captures, how, and where it goes: what ``CaptureSession/configure(_:)`` changes.
public struct SessionSetup: Sendable {
  /// The camera. Setting it makes the session let go of its device and open the new one, even where it is the same again.
  public var source: any CameraSource { didSet { sourceNumber += 1 } }
  /// How the session behaves. A new `chooseFormat` is asked at once, among the formats of the camera that is open: the device is
  /// started anew only where another format comes of it. Everything else takes effect without a restart.
  public var configuration: SessionConfiguration
  /// Where frames go, in the order they were added.
  public private(set) var outputs: [any FrameOutput]
  /// Which camera it is: a source that was set has another number.
  private(set) var sourceNumber = 0

  init(source: any CameraSource, configuration: SessionConfiguration) {
    self.source = source
    self.configuration = configuration
    outputs = []
  }

  /// Adds an output; one that is there already stays as it is.
  public mutating func add(_ output: any FrameOutput) {
    if !outputs.contains(where: { $0 === output }) { outputs.append(output) }
  }

  /// Removes an output; one that is not there changes nothing.
  public mutating func remove(_ output: any FrameOutput) { outputs.removeAll { $0 === output } }

  /// The same, with outputs and angles as they are now.
  func now(_ outputs: [any FrameOutput], _ rotation: RotationCoordinator) -> SessionSetup {
    var setup = self
    setup.outputs = outputs
    (setup.configuration.surfaceLock, setup.configuration.isPreviewMirrored) = rotation.settings
    return setup
  }

  /// For the capture thread.
  var capture: CaptureSetup {
    CaptureSetup(
      source: source, number: sourceNumber, choice: configuration.chooseFormat,
      firstFrame: configuration.firstFrameTimeout, stall: configuration.stallTimeout,
      policy: configuration.controls)
  }

  /// Outputs of this one that the other has not.
  func outputs(missingIn other: SessionSetup) -> [any FrameOutput] {
    outputs.filter { output in !other.outputs.contains { $0 === output } }
  }
}

extension SessionConfiguration {
  /// The rotation coordinator does as this says.
  func apply(to rotation: RotationCoordinator) {
    rotation.setPolicy(self.rotation)
    rotation.lockSurface(to: surfaceLock)
    rotation.setPreviewMirrored(isPreviewMirrored)
  }
}

import Imagery

/// The source, the configuration and the outputs of a session, as ``CaptureSession/configure(_:)`` changes them.
public struct SessionSetup: Sendable {
  /// The camera. Setting it makes the session close its device and open the new one, even if the new camera is the same.
  public var source: any CameraSource { didSet { sourceNumber += 1 } }
  /// The behaviour of the session. A new `chooseFormat` is called at once with the formats of the open camera: the device is
  /// restarted only if it chooses another format. Everything else takes effect without a restart.
  public var configuration: SessionConfiguration
  /// The outputs, in the order in which they were added.
  public private(set) var outputs: [any FrameOutput]
  /// The number of the source; setting `source` increases it.
  private(set) var sourceNumber = 0

  init(source: any CameraSource, configuration: SessionConfiguration) {
    self.source = source
    self.configuration = configuration
    outputs = []
  }

  /// Adds an output. Adding it again has no effect.
  public mutating func add(_ output: any FrameOutput) {
    if !outputs.contains(where: { $0 === output }) { outputs.append(output) }
  }

  /// Removes an output. An output that was not added is ignored.
  public mutating func remove(_ output: any FrameOutput) { outputs.removeAll { $0 === output } }

  /// This setup with the present outputs and angles.
  func now(_ outputs: [any FrameOutput], _ rotation: RotationCoordinator) -> SessionSetup {
    var setup = self
    setup.outputs = outputs
    (setup.configuration.surfaceLock, setup.configuration.isPreviewMirrored) = rotation.settings
    return setup
  }

  var capture: CaptureSetup {
    CaptureSetup(
      source: source, number: sourceNumber, choice: configuration.chooseFormat,
      firstFrame: configuration.firstFrameTimeout, stall: configuration.stallTimeout,
      policy: configuration.controls)
  }

  /// The outputs of this setup that `other` does not have.
  func outputs(missingIn other: SessionSetup) -> [any FrameOutput] {
    outputs.filter { output in !other.outputs.contains { $0 === output } }
  }
}

extension SessionConfiguration {
  /// Applies the rotation settings to the coordinator.
  func apply(to rotation: RotationCoordinator) {
    rotation.setPolicy(self.rotation)
    rotation.lockSurface(to: surfaceLock)
    rotation.setPreviewMirrored(isPreviewMirrored)
  }
}

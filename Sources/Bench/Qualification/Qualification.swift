import Capture
public import Harness
public import Probes
import Video4Linux

/// A lab's sign-off for one camera: its rules in reading order, and the state to restore.
public struct Qualification: Sendable {
  /// The description of the camera, for the report.
  public let source: SourceDescription
  /// All rules but the last.
  public let rules: [any Scenario]
  /// The last rule, which restores the camera. Run it whatever the results of the others.
  public let restoration: any Scenario

  /// Opens the camera, notes its state, and selects what is tried.
  /// - Parameters:
  ///   - device: a node such as `/dev/video0`, or a stable name: a link under `/dev/v4l`, `usb:…` or `port:…`.
  ///   - fault: the fault to inject; nil for none.
  ///   - scenarios: scenarios of the engine that are repeated on this camera.
  /// - Throws: `QualificationError` if the camera cannot be opened; `Unsupported` if it has nothing to show the fault on.
  public init(
    device: String, duration: RunDuration, fault: DeviceFault?, scenarios: CameraScenarios
  ) throws {
    try self.init(
      device: device, kernel: LinuxKernel(), duration: duration, fault: fault, scenarios: scenarios)
  }

  init(
    device path: String, kernel honest: any Kernel, duration: RunDuration, fault: DeviceFault?,
    scenarios: CameraScenarios
  ) throws {
    let (camera, state) = try Self.prepare(path, honest, duration: duration, fault: fault)
    self.init(camera: camera, state: state, isLying: fault != nil, scenarios: scenarios)
  }

  private static func prepare(
    _ name: String, _ honest: any Kernel, duration: RunDuration, fault: DeviceFault?
  ) throws -> (QualifiedCamera, CameraState) {
    do {
      let path = try node(name, honest)
      let device = try VideoDevice(path: path, kernel: honest)
      let capabilities = device.capabilities
      guard capabilities.isCapture else {
        throw QualificationError.notACamera(
          name, WrongNode.reason(path, bus: capabilities.bus, kernel: honest))
      }
      let state = try CameraState(of: device)
      let plan = try CameraPlan(CameraClaims(of: device), duration: duration)
      let controls = try device.controls()
      // Sets the current format, only to find out now whether another program uses the camera.
      _ = try device.setFormat(state.format)
      // Closed before the kernel with the injected fault opens it, because that kernel must not find another client.
      device.close()
      let camera = QualifiedCamera(
        specification: path,
        kernel: try fault?.kernel(around: honest, plan: plan, controls: controls) ?? honest,
        plan: plan, capabilities: capabilities,
        tracker: DeviceTracker(node: path, name: name, directory: DeviceDirectory(kernel: honest)))
      return (camera, state)
    } catch let error as VideoDeviceError {
      if error.reason == .unsupported {
        throw QualificationError.notACamera(name, WrongNode.reason(name, bus: nil, kernel: honest))
      }
      throw QualificationError.device(name, "\(error)")
    }
  }

  /// Returns the node of a camera that is named by serial number or port. A path is returned unchanged.
  private static func node(_ name: String, _ kernel: any Kernel) throws -> String {
    if name.hasPrefix("/") { return name }
    let all = try DeviceDirectory(kernel: kernel).list().filter { entry in
      entry.stableNames.contains { $0.description == name }
    }
    guard all.count < 2 else {
      throw QualificationError.device(
        name,
        "\(all.map(\.path).joined(separator: " and ")) have this name; give a name under /dev/v4l/by-path")
    }
    guard let found = all.first else {
      throw QualificationError.device(
        name, "no camera has this name; `swiftwing devices` lists those that are here")
    }
    return found.path
  }

  init(camera: QualifiedCamera, state: CameraState, isLying: Bool, scenarios: CameraScenarios) {
    let extent = isLying ? Extent.brief : Extent()
    let survey = ModeSurvey(camera: camera, frameCount: extent.frames)
    let starts = RestedStarts(camera: camera, count: extent.starts)
    rules = [
      IdentityRule(camera: camera),
      FormatsRule(camera: camera, survey: survey),
      ControlsRule(camera: camera),
      PaceRule(survey: survey),
      StampsRule(survey: survey),
      StartRule(camera: camera, survey: survey, starts: starts),
      scenarios.foreground(camera.rig(in: camera.plan.light), extent.absences, RestedStarts.surface) {
        try await starts.device()
      },
      ReplugRule(camera: camera, rounds: extent.replugs),
      UprightRule(camera: camera, survey: survey),
      scenarios.photos(camera.rig(in: camera.plan.main), extent.photos),
      SharingRule(camera: camera),
      ComplianceRule(camera: camera, isLying: isLying),
    ]
    restoration = RestorationRule(camera: camera, before: state)
    source = SourceDescription(
      kind: "v4l2", name: camera.capabilities.card, driver: camera.capabilities.driver,
      bus: camera.capabilities.bus, serial: DeviceDirectory().entry(at: camera.path)?.identity?.serial,
      format: camera.plan.main.description)
  }
}

/// The reason why a camera could not be qualified.
public enum QualificationError: Error, CustomStringConvertible {
  /// Not a capture device: its path, and the reason.
  case notACamera(String, String)
  case device(String, String)

  public var description: String {
    switch self {
    case .notACamera(let path, let reason), .device(let path, let reason): "cannot qualify \(path): \(reason)"
    }
  }
}

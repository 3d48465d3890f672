public import Harness
public import Probes
import Video4Linux

extension Qualification {
  /// Every rule in the order in which a person reads them, the restoration last. There is no camera behind them: they are for a
  /// list, and fail when they are run.
  /// - Parameter scenarios: the engine's own that are repeated on a camera.
  public static func listed(with scenarios: CameraScenarios) -> [any Scenario] {
    let qualification = Qualification(
      camera: .unplugged, state: CameraState(format: .listed), isLying: false, scenarios: scenarios)
    return qualification.rules + [qualification.restoration]
  }
}

extension QualifiedCamera {
  fileprivate static var unplugged: QualifiedCamera {
    QualifiedCamera(
      specification: "/dev/null", kernel: LinuxKernel(), plan: CameraPlan(claiming: .listed),
      capabilities: DeviceCapabilities(driver: "", card: "", bus: ""), tracker: nil)
  }
}

extension VideoFormat {
  fileprivate static let listed = VideoFormat(fourCC: .yuyv, size: FrameSize(width: 640, height: 480))
}

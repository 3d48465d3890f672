public import Harness
public import Probes
import Video4Linux

extension Qualification {
  /// Returns the rules in reading order, the restoration last, for a list. There is no camera behind them, so they fail if they are run.
  /// - Parameter scenarios: scenarios of the engine that are repeated on a camera.
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

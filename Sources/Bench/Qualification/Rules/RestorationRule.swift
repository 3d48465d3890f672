import Harness
import Video4Linux

/// HAR-6: the camera is left as it was found, proved by reading back.
struct RestorationRule: QualificationRule {
  let id = "qualify.restored"
  let suite = Suite.restoration
  let title = "Left as it was found"
  let purpose = "A test that leaves the camera's settings changed disturbs the next program."
  let exampleFailure =
    "A driver that forgets the frame interval when it is closed, and starts the next program at another."
  let requirements: [RequirementID] = ["HAR-6"]
  let camera: QualifiedCamera
  /// The state before the first rule.
  let before: CameraState

  /// Time limit for another holder to release the device, in nanoseconds: an aborted rule releases it a little later.
  private static let patience: Int64 = 5_000_000_000

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    var other = before
    other.format.size.width += 16
    guard before.differences(from: before).isEmpty, before.differences(from: other).count == 1 else {
      return .failed("a format that differs was not noticed")
    }
    return .passed("a width 16 pixels off was noticed; the same state was accepted")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    try restore()
    // Opens the device again: a setting that the driver forgets when the device is closed is not restored.
    let device = try camera.open()
    defer { device.close() }
    let flaws = before.differences(from: try CameraState(of: device))
    return Observation(
      checks: [
        RuleCheck(
          id: "qualify.restored.state",
          title: "Format, interval, input, timing, crop and controls read back as before"
        )
        .check(flaws: flaws, of: before.count, otherwise: "\(before.count) settings")
      ], evidence: [.text("The state found, and restored", before.description)], notes: faultNotes)
  }

  /// - Throws: `VideoDeviceError` if the device is gone or stays busy.
  func restore() throws(VideoDeviceError) {
    let deadline = camera.kernel.now() + Self.patience
    while true {
      do throws(VideoDeviceError) {
        let device = try camera.open()
        defer { device.close() }
        return try before.restore(on: device)
      } catch {
        guard error.reason == .busy, camera.kernel.now() < deadline else { throw error }
        rest()
      }
    }
  }

  /// Waits for 50 ms.
  private func rest() {
    guard let device = try? camera.open() else { return }
    defer { device.close() }
    _ = try? device.wait(for: [], timeout: .milliseconds(50))
  }
}

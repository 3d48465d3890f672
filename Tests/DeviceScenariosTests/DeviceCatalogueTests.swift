import Harness
import Testing

@testable import DeviceScenarios
@testable import Probes

@Suite struct DeviceCatalogueTests {
  private let scenarios = ScenarioCatalogue.devices(Rig(viewfinder: ""))

  /// Self-tests that need no device pass in these tests too.
  @Test(arguments: [
    "rotation.accelerometer", "latency.loop", "device.formats", "device.access", "device.usb",
    "device.driver",
    "device.signal", "peers.first-frame", "recovery.second-client", "recovery.other-signal",
    "latency.shared-frames", "photo.device", "looks.device", "device.twins", "device.late-frame",
    "device.undecodable",
    "device.unreadable", "device.controls", "device.dock", "device.restarts",
    "device.recording", "display.loop", "latency.photon",
  ]) func probesProveThemselves(id: String) async throws {
    let scenario = try #require(scenarios.first { $0.id == id })
    let context = ScenarioContext(source: SourceDescription(kind: "simulated", name: "test"))
    guard case .passed = try await scenario.selfTest(context) else {
      Issue.record("\(try await scenario.selfTest(context))")
      return
    }
  }

  /// Without the lab, these scenarios report that they are unsupported instead of failing.
  @Test(arguments: [
    "latency.loop", "device.formats", "device.driver", "device.twins", "peers.first-frame", "display.loop",
  ])
  func whatNeedsADeviceSaysSo(id: String) async throws {
    let scenario = try #require(scenarios.first { $0.id == id })
    let context = ScenarioContext(source: SourceDescription(kind: "simulated", name: "test"))
    await #expect(throws: Unsupported.self) { try await scenario.run(context) }
  }
}

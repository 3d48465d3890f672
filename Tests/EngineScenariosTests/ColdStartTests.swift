import System
import Testing

@testable import EngineScenarios
@testable import Harness
@testable import Probes

/// The verdict on starts of the camera.
@Suite struct ColdStartTests {
  @Test func everyPrewarmedStartMustShowAPicture() {
    let scenario = PrewarmedStart(rig: Rig(viewfinder: ""))
    #expect(scenario.observation([33, 33], of: 2, .milliseconds(33)).checks.map(\.passed) == [true])
    #expect(scenario.observation([33], of: 2, .milliseconds(33)).checks.map(\.passed) == [false])
  }
}

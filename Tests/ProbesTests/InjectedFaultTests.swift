import Capture
import Imagery
import Replay
import Testing

@testable import Probes

/// Faults by name, and those of the camera by themselves.
@Suite struct InjectedFaultTests {
  @Test(arguments: InjectedFault.names) func everyNameNamesAFault(name: String) throws {
    let name = name.replacing("PERCENT", with: "30").replacing("MILLISECONDS", with: "30")
    #expect(try #require(InjectedFault(name: name)).description == name)
  }

  @Test func nonsenseNamesNone() {
    for name in [
      "", "swap", "slow-preview", "slow-preview=0", "slow-preview=x", "slow-preview=1001", "slow-open",
      "slow-open=0",
      "slow-open=5001", "slow-open=1=2", "delay=1",
    ] {
      #expect(InjectedFault(name: name) == nil)
    }
  }

  /// What starts are held against does not follow the engine.
  @Test func aSlowOpeningLeavesTheReferenceAsItIs() async throws {
    for specification in ["simulated:64x64@50", "corpus:shelf-pan"] {
      var rig = Rig(specification: specification, viewfinder: "")
      let sound = try await DeviceStart(rig: rig, bundled: "").samples(count: 3)
      rig.fault = .slowsOpening(milliseconds: 2000)
      #expect(try await DeviceStart(rig: rig, bundled: "").samples(count: 3) == sound)
      #expect(sound == [specification.hasPrefix("corpus") ? 33.333333 : 20])
    }
  }

  @Test func aSlowOpeningTakesItsTime() throws {
    let clock = SteppingClock()
    let camera = FaultyCamera(
      base: try SimulatedSource().makeCamera(clock: clock), fault: .slowsOpening(milliseconds: 2000),
      clock: clock)
    let began = clock.now()
    _ = try camera.open()
    #expect(clock.now() - began == .seconds(2))
    #expect(Rig(fault: .slowsOpening(milliseconds: 2000), viewfinder: "").fault?.opening == .seconds(2))
  }
}

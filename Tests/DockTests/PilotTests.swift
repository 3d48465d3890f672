import Capture
import Testing

@testable import Dock

/// The decisions of the dock, tested without a camera or a clock.
@Suite struct PilotTests {
  private func pilot(_ features: Set<DockFeature> = Set(DockFeature.allCases)) throws -> DockPilot {
    var configuration = DockConfiguration()
    configuration.features = features
    var pilot = DockPilot(configuration)
    pilot.connect(try motors(), name: "test", place: .zero, at: 0)
    return pilot
  }

  private func motors() throws -> DockMotors {
    try #require(DockMotors(controls([.pan, .tilt]), fullSpeed: 1))
  }

  private func controls(_ controls: [CameraControl]) -> ControlsState {
    ControlsState(capabilities: controls.map { CameraControlCapability($0, -90...90) })
  }

  @Test func withoutMotorsEveryCommandIsRefused() {
    var pilot = DockPilot(DockConfiguration())
    #expect(!pilot.take(.stop, client: 0, at: 0).isAccepted)
    #expect(pilot.state.status == .disconnected && pilot.state.unsupported != nil)
  }

  @Test func aMoveIsForTheModeManualOnly() throws {
    var pilot = try pilot()
    let move = DockCommand.move(DockAngles(pan: 0.2, tilt: 0))
    #expect(!pilot.take(move, client: 0, at: 0).isAccepted)
    #expect(pilot.take(.mode(.manual), client: 0, at: 0).isAccepted)
    #expect(pilot.take(move, client: 0, at: 0).isAccepted)
    #expect(!pilot.take(.move(DockAngles(pan: .nan, tilt: 0)), client: 0, at: 0).isAccepted)
  }

  @Test func aMoveThatIsNotRenewedEndsAfterAQuarterOfASecond() throws {
    var pilot = try pilot()
    _ = pilot.take(.mode(.manual), client: 0, at: 0)
    _ = pilot.tick(at: 0)
    _ = pilot.take(.move(DockAngles(pan: 0.2, tilt: 0)), client: 0, at: 0)
    _ = pilot.tick(at: 0.001)
    #expect(pilot.state.motion.pan == 0.2)
    _ = pilot.tick(at: 0.2499)
    #expect(pilot.state.motion.pan == 0.2)
    #expect(pilot.tick(at: 0.2501) != nil)
    #expect(pilot.state.motion == .zero)
  }

  @Test func aClientThatGoesStopsWhatItHoldsAndNothingElse() throws {
    var pilot = try pilot()
    _ = pilot.take(.mode(.manual), client: 1, at: 0)
    _ = pilot.take(.move(DockAngles(pan: 0.2, tilt: 0)), client: 1, at: 0)
    pilot.lost(client: 2)
    _ = pilot.tick(at: 0.01)
    #expect(pilot.state.motion.pan == 0.2)
    pilot.lost(client: 1)
    _ = pilot.tick(at: 0.02)
    #expect(pilot.state.motion == .zero)
  }

  @Test func anotherModeStopsMotion() throws {
    var pilot = try pilot()
    _ = pilot.take(.mode(.manual), client: 1, at: 0)
    _ = pilot.take(.move(DockAngles(pan: 0, tilt: 0.2)), client: 1, at: 0)
    _ = pilot.tick(at: 0.01)
    _ = pilot.take(.mode(.system), client: 2, at: 0.02)
    #expect(pilot.tick(at: 0.02) != nil)
    #expect(pilot.state.motion == .zero)
  }

  /// After the camera refuses a pan, the pilot uses the position that the camera reports, and all motion has ended.
  @Test func anOrderThatIsRefusedIsNotBelieved() throws {
    var pilot = try pilot()
    _ = pilot.take(.mode(.manual), client: 0, at: 0)
    _ = pilot.tick(at: 0)
    _ = pilot.take(.move(DockAngles(pan: 0.2, tilt: 0)), client: 0, at: 0)
    _ = pilot.tick(at: 0.01)
    _ = pilot.tick(at: 0.2)
    #expect(pilot.state.position?.pan != 0, "meanwhile the position is computed from the orders")
    pilot.refused("the device said no", place: .zero, at: 0.2)
    #expect(pilot.state.motion == .zero && pilot.state.position == .zero && pilot.hand == nil)
    #expect(pilot.state.refusal == "the device said no")
    let next = pilot.tick(at: 0.3)
    #expect(next == nil && pilot.reckoning.place(at: 1) == .zero)
  }

  /// A camera may accept a command without obeying it. So the pilot asks for the position once, when the motors must have stopped.
  @Test func motorsThatMustStandAreAskedWhere() throws {
    var pilot = try pilot()
    _ = pilot.take(.mode(.manual), client: 0, at: 0)
    _ = pilot.tick(at: 0)
    _ = pilot.take(.move(DockAngles(pan: 0.2, tilt: 0)), client: 0, at: 0)
    _ = pilot.tick(at: 0.01)
    let moves = pilot.stands(at: 60)
    #expect(!moves)
    _ = pilot.take(.stop, client: 0, at: 0.2)
    _ = pilot.tick(at: 0.2)
    let stands = try #require(pilot.standsAt)
    let asked = [0.3, stands, stands + 1].map { pilot.stands(at: $0) }
    #expect(asked == [false, true, false] && stands < 2)
    pilot.heed(.zero, at: stands)
    #expect(pilot.state.position == .zero)
  }

  @Test func panAndTiltAreOneRequest() throws {
    var pilot = try pilot()
    _ = pilot.take(.mode(.manual), client: 1, at: 0)
    _ = pilot.take(.move(DockAngles(pan: 0.2, tilt: 0)), client: 1, at: 0)
    let order = pilot.tick(at: 0.01) ?? []
    #expect(Set(order.map(\.control)) == [.pan, .tilt])
  }

  @Test func noSpeedLeadsOutOfTheRange() throws {
    var pilot = try pilot()
    _ = pilot.take(.mode(.manual), client: 1, at: 0)
    var pans: [Double] = []
    for step in 1...200 {
      let time = Double(step) / 30
      _ = pilot.take(.move(DockAngles(pan: 2, tilt: 0)), client: 1, at: time)
      pans += pilot.tick(at: time)?.compactMap { $0.control == .pan ? $0.value.number : nil } ?? []
    }
    #expect(pans.max().map { abs($0 - 90) < 0.5 } == true, "\(pans.max() ?? -1)")
    #expect(pilot.state.motion.pan < 1e-6)
  }

  /// DCK-1: another program, or the camera's own remote, turns the camera while the dock does not move it.
  @Test func whatTurnsTheCameraWhileItStandsIsReckonedWith() throws {
    var pilot = try pilot()
    let place = DockAngles(pan: 0.5, tilt: -0.1)
    pilot.connect(try motors(), name: "test", place: place, at: 5)
    #expect(pilot.state.position == place)
    _ = pilot.take(.mode(.manual), client: 1, at: 6)
    _ = pilot.take(.move(DockAngles(pan: 0.1, tilt: 0)), client: 1, at: 6)
    let order = pilot.tick(at: 6.01) ?? []
    let pan = try #require(order.first { $0.control == .pan }?.value.number)
    // The pan starts from the reported position, not from the last one that the dock requested.
    #expect(pan > 0.5 * 180 / .pi && pan < 0.6 * 180 / .pi, "\(pan)")
  }

  /// During the dock's own motion, and shortly after it, reported positions are ignored: they come late, and some cameras never
  /// update them.
  @Test func whatIsToldOfAMotionOfItsOwnIsNoNews() throws {
    var pilot = try pilot()
    _ = pilot.take(.mode(.manual), client: 1, at: 10)
    _ = pilot.take(.move(DockAngles(pan: 0.2, tilt: 0)), client: 1, at: 10)
    _ = pilot.tick(at: 10.01)
    pilot.connect(try motors(), name: "test", place: DockAngles(pan: -0.3, tilt: 0), at: 10.1)
    _ = pilot.take(.stop, client: 1, at: 10.2)
    _ = pilot.tick(at: 10.2)
    pilot.connect(try motors(), name: "test", place: DockAngles(pan: -0.2, tilt: 0), at: 10.6)
    // A repeated report is ignored too.
    pilot.connect(try motors(), name: "test", place: DockAngles(pan: -0.2, tilt: 0), at: 30)
    _ = pilot.tick(at: 30)
    #expect(pilot.state.position.map { $0.pan > 0 && $0.pan < 0.1 } == true, "\(pilot.state)")
  }

  @Test func aFeatureThatIsOffRefusesAndAllAreOffAfterItWasUnplugged() throws {
    var pilot = try pilot([])
    #expect(!pilot.take(.selectPoint(DockPoint(x: 0.5, y: 0.5)), client: 0, at: 0).isAccepted)
    #expect(!pilot.take(.framing(.left), client: 0, at: 0).isAccepted)
    #expect(!pilot.take(.animate("yes"), client: 0, at: 0).isAccepted)
    #expect(!pilot.take(.regionOfInterest(.whole), client: 0, at: 0).isAccepted)
    _ = pilot.take(.feature(.framing, isOn: true), client: 0, at: 0)
    #expect(pilot.take(.framing(.left), client: 0, at: 0).isAccepted)
    pilot.disconnect("unplugged")
    #expect(pilot.state.status == .disconnected && pilot.state.features.isEmpty)
    pilot.connect(try motors(), name: "test", place: .zero, at: 1)
    #expect(pilot.state.features.isEmpty && pilot.state.framing == .auto && pilot.state.mode == .system)
  }

  @Test func aPositionThatWasKeptIsReachedAgain() throws {
    var pilot = try pilot()
    _ = pilot.take(.mode(.manual), client: 0, at: 0)
    #expect(pilot.take(.preset("desk", saves: true), client: 0, at: 0).isAccepted)
    #expect(!pilot.take(.preset("\u{1B}", saves: true), client: 0, at: 0).isAccepted)
    #expect(!pilot.take(.preset("shelf", saves: false), client: 0, at: 0).isAccepted)
    for step in 1...10 {
      _ = pilot.take(.move(DockAngles(pan: 1, tilt: 0.5)), client: 0, at: Double(step) / 30)
      _ = pilot.tick(at: Double(step) / 30)
    }
    _ = pilot.take(.stop, client: 0, at: 0.4)
    _ = pilot.tick(at: 0.4)
    let away = try #require(pilot.state.position)
    #expect(away.pan > 0.2)
    #expect(pilot.take(.preset("desk", saves: false), client: 0, at: 0.5).isAccepted)
    for step in 16...75 { _ = pilot.tick(at: Double(step) / 30) }
    let position = try #require(pilot.state.position)
    #expect(abs(position.pan) < 0.011 && abs(position.tilt) < 0.011 && pilot.state.motion == .zero)
    #expect(pilot.state.presets == ["desk"])
  }

  @Test(arguments: DockAnimation.allCases) func aMovementEndsWhereItBeganAndIsNotInterrupted(
    _ animation: DockAnimation
  ) throws {
    var pilot = try pilot()
    #expect(pilot.take(.animate(animation.rawValue), client: 0, at: 0).isAccepted)
    #expect(pilot.state.animation == animation.rawValue && !pilot.isTracking)
    #expect(!pilot.take(.animate("no"), client: 0, at: 0).isAccepted)
    var farthest = 0.0
    for step in 1...150 {
      _ = pilot.tick(at: Double(step) / 30)
      let position = try #require(pilot.state.position)
      farthest = max(farthest, abs(position.pan), abs(position.tilt))
    }
    let position = try #require(pilot.state.position)
    #expect(farthest > 0.1)
    #expect(abs(position.pan) < 0.011 && abs(position.tilt) < 0.011)
    #expect(pilot.state.animation == nil && pilot.isTracking && pilot.state.mode == .system)
  }

  @Test func theSecondTapOnASubjectLetsItGo() throws {
    var pilot = try pilot()
    let subject = DockSubject(
      id: 3, rect: DockRect(x: 0.4, y: 0.4, width: 0.2, height: 0.2), confidence: 1, rank: 1)
    pilot.see([subject], chosen: nil, at: 0, .plain)
    #expect(pilot.take(.selectPoint(DockPoint(x: 0.5, y: 0.5)), client: 0, at: 0).isAccepted)
    #expect(pilot.state.selected == 3 && pilot.state.mode == .custom)
    #expect(pilot.take(.selectPoint(DockPoint(x: 0.5, y: 0.5)), client: 0, at: 0).isAccepted)
    #expect(pilot.state.selected == nil)
    #expect(!pilot.take(.select(4), client: 0, at: 0).isAccepted)
  }

  @Test func theMostSalientSubjectIsFollowedInTheModeSystem() throws {
    var pilot = try pilot()
    let subjects = [1, 2].map {
      DockSubject(
        id: $0, rect: DockRect(x: 0.2 * Double($0), y: 0.4, width: 0.1, height: 0.1), confidence: 1, rank: $0)
    }
    pilot.see(subjects, chosen: nil, at: 0, .plain)
    #expect(pilot.state.selected == 1 && pilot.state.status == .tracking)
    // The subject stays selected while it is visible, even if another becomes more salient.
    pilot.see(subjects.reversed(), chosen: nil, at: 0.1, .plain)
    #expect(pilot.state.selected == 1)
    pilot.see([subjects[1]], chosen: nil, at: 0.2, .plain)
    #expect(pilot.state.selected == 2)
  }
}

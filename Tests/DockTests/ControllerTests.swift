import Capture
import Imagery
import Replay
import System
import Testing

@testable import Dock

/// The dock with a simulated camera that has motors, in virtual time.
@Suite struct ControllerTests {
  private struct Stand {
    let session: CaptureSession
    let clock = VirtualClock()
    let dock: DockController
    let truth = DockLog()
    let scene: DockScene

    init(_ kind: DockModel.Kind, _ scene: DockScene, framesPerSecond: Int = 30) {
      var source = DockSource(size: PixelSize(width: 160, height: 90), scene: scene)
      source.frameInterval = FrameInterval(framesPerSecond: framesPerSecond)
      (source.model.kind, source.log) = (kind, truth)
      var configuration = DockConfiguration()
      configuration.features = Set(DockFeature.allCases)
      (configuration.tracking.window, configuration.tracking.longSide) = (32, 160)
      configuration.tracking.looksEvery = 1000
      var behaviour = SessionConfiguration()
      behaviour.inactivityTimeout = nil
      self.scene = scene
      session = CaptureSession(source: source, configuration: behaviour, clock: clock)
      dock = DockController(configuration: configuration, clock: clock)
    }

    func begin() async throws {
      try await clock.run(until: { [session] in try await session.start() })
      await clock.run(for: .milliseconds(100))
      await dock.attach(to: session)
      // The session runs from its first frame on. Another task reports this to the dock.
      try await clock.run(until: { [dock] in
        for await state in dock.states() where state.status == .connected { return }
      })
    }

    func end() async {
      await dock.detach()
      await session.stop()
    }
  }

  @Test(arguments: DockModel.Kind.allCases) func theDockIsConnectedWithItsBattery(_ kind: DockModel.Kind)
    async throws
  {
    let stand = Stand(kind, DockScene([]))
    try await stand.begin()
    let state = stand.dock.state
    #expect(state.status == .connected && state.name == "Simulated dock")
    #expect(state.battery == .level(0.8, isCharging: false))
    #expect((state.position != nil) == (kind == .absolute))
    await stand.end()
    #expect(stand.dock.state.status == .disconnected)
  }

  @Test func aMoveByHandEndsThoughNoFrameComes() async throws {
    let stand = Stand(.speed, DockScene([]))
    try await stand.begin()
    _ = await stand.dock.perform(.mode(.manual))
    // By now the dock's automatic tracking has stopped.
    await stand.clock.run(for: .milliseconds(50))
    let former = stand.truth.requests.count
    let began = stand.clock.now()
    #expect(await stand.dock.perform(.move(DockAngles(pan: 0.2, tilt: 0))).isAccepted)
    await stand.clock.run(for: .milliseconds(600))
    let told = stand.truth.requests.dropFirst(former).filter { $0.values[.panSpeed] != nil }
    #expect(told.count { $0.values[.panSpeed] != .number(0) } == 1, "\(told)")
    #expect(told.last?.values[.panSpeed] == .number(0) && told.last?.values[.tiltSpeed] == .number(0))
    #expect(told.last.map { abs(($0.time - began).milliseconds - 250) < 1 } == true)
    await stand.end()
  }

  @Test func aSubjectIsCentredWhileTheDeviceIsHeldTurned() async throws {
    let scene = DockScene([.standing(pan: 0.2, tilt: 0.08, size: 0.2)])
    scene.attitude = 90
    let stand = Stand(.absolute, scene)
    try await stand.begin()
    let place = try #require(stand.truth.frames.last?.subjects[0])
    // The device is held a quarter turn clockwise, so the upright picture is the stored one rotated clockwise.
    #expect(await stand.dock.perform(.selectPoint(DockPoint(x: 1 - place.y, y: place.x))).isAccepted)
    await stand.clock.run(for: .milliseconds(1200))
    let centred = try #require(stand.truth.frames.last?.subjects[0])
    #expect(abs(centred.x - 0.5) < 0.06 && abs(centred.y - 0.5) < 0.08, "\(centred)")
    await stand.end()
  }

  /// With few frames a second, as from a slow camera or a busy machine, the motors must not oscillate about the subject.
  @Test(arguments: DockModel.Kind.allCases) func fewFramesASecondAreEnough(_ kind: DockModel.Kind)
    async throws
  {
    let stand = Stand(kind, DockScene([.standing(pan: 0.2, tilt: 0.08, size: 0.2)]), framesPerSecond: 4)
    try await stand.begin()
    await stand.clock.run(for: .seconds(1))
    let place = try #require(stand.truth.frames.last?.subjects[0])
    let answer = await stand.dock.perform(.selectPoint(DockPoint(x: place.x, y: place.y)))
    #expect(answer.isAccepted, "\(answer) at \(place)")
    await stand.clock.run(for: .seconds(4))
    let seen = stand.truth.frames.suffix(8).compactMap { $0.subjects[0] }
    #expect(seen.count == 8 && seen.allSatisfy { abs($0.x - 0.5) < 0.06 && abs($0.y - 0.5) < 0.1 }, "\(seen)")
    await stand.end()
  }

  @Test func anotherProgramTurnsTheCamera() async throws {
    let stand = Stand(.absolute, DockScene([]))
    try await stand.begin()
    await stand.clock.run(for: .seconds(2))
    _ = await stand.session.set([(.pan, .number(20)), (.tilt, .number(0))])
    var pan = Double.infinity
    // Another task reports the camera's position.
    for _ in 0..<200 where abs(pan - 20) > 0.5 {
      await stand.clock.run(for: .milliseconds(50))
      pan = try #require(stand.dock.state.position?.pan) * 180 / .pi
    }
    #expect(abs(pan - 20) <= 0.5, "\(pan)")
    await stand.end()
  }

  @Test func theZoomIsClampedAndSaidSo() async throws {
    let stand = Stand(.absolute, DockScene([]))
    try await stand.begin()
    guard case .accepted(let note) = await stand.dock.perform(.zoom(100)) else {
      Issue.record("refused")
      return
    }
    #expect(note != nil)
    #expect(await stand.dock.perform(.zoomBy(-1)) == .accepted())
    await stand.end()
  }

  @Test func aSpeedIsNoWishOfTheSession() async throws {
    let stand = Stand(.speed, DockScene([]))
    try await stand.begin()
    _ = await stand.session.set([(.panSpeed, .number(5)), (.tiltSpeed, .number(0))])
    let controls = await stand.session.controls
    #expect(controls.wishes[.panSpeed] == nil && controls.values[.panSpeed] == .number(5))
    await stand.end()
    let refused = await CaptureSession(source: DockSource()).set(.panSpeed, to: .number(1))
    #expect(refused.refusal != nil)
  }
}

import Capture
import Harness
import Imagery
import System
import Testing

@testable import DeviceScenarios
@testable import Probes

/// The verdict on faults that the lab injects into a device, and on other programs that use it.
@Suite struct TroubleTests {
  private let rig = Rig(viewfinder: "")

  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  private func failed(_ checks: [Check]) -> [String] {
    checks.filter { !$0.passed }.map { $0.id.split(separator: ".").last.map(String.init) ?? "" }
  }

  // MARK: Faults of the lab

  private func outcome(
    _ fault: LabFault, _ published: InterruptionReason?, shown: Int64?, pictures: Int = 0
  ) -> FaultOutcome {
    FaultOutcome(
      fault: fault, given: at(0), mended: fault.remedy == nil ? nil : at(500),
      published: published.map { StateMark(state: .interrupted($0), time: at(20)) },
      shown: shown.map { at($0) }, pictures: pictures)
  }

  private let stall = LabFault(command: "stall on", reason: .streamStalled, remedy: "stall off")
  private let drop = LabFault(command: "drop 5")

  @Test func faultsThatAreGotOverPass() {
    let outcomes = [
      outcome(stall, .streamStalled, shown: 570), outcome(drop, nil, shown: nil, pictures: LabFault.pictures),
    ]
    let scenario = DeviceTrouble.usb(rig: rig)
    let checks = scenario.checks(outcomes)
    #expect(failed(checks) == [])
    #expect(Set(checks.compactMap(\.requirement)) == Set(scenario.requirements))
    #expect(outcomes[0].detected == 20 && outcomes[0].resumed == 70)
  }

  @Test func eachFaultThatIsNotGotOverIsTold() {
    func red(_ outcomes: FaultOutcome...) -> [String] { failed(DeviceTrouble.usb(rig: rig).checks(outcomes)) }
    #expect(red(outcome(stall, nil, shown: 570)) == ["1-stall-on", "published"])
    #expect(red(outcome(stall, .other, shown: 570)) == ["1-stall-on", "published"])
    #expect(red(outcome(stall, .streamStalled, shown: nil)) == ["1-stall-on"])
    // A dropped frame is published as an interruption, or too few pictures follow it. A play without any fault proves nothing, and
    // fails.
    let few = outcome(drop, nil, shown: nil, pictures: LabFault.pictures - 1)
    #expect(red(outcome(drop, .other, shown: nil, pictures: 99)) == ["1-drop-5", "published"])
    #expect(red(few) == ["1-drop-5", "published"])
    #expect(red() == ["published"])
  }

  /// If a fault ends by itself, the recovery is timed from the interruption.
  @Test func aFaultWithoutARemedyIsTimedFromItsInterruption() {
    let reset = outcome(LabFault(command: "fatal", reason: .deviceReset), .deviceReset, shown: 90)
    #expect(reset.complaint == nil && reset.detected == 20 && reset.resumed == 70)
  }

  @Test func theSignalAnswersWhatItNames() {
    let scenario = DeviceTrouble.signal(rig: rig)
    let lost = LabFault(command: "signal lost", reason: .signalLost, remedy: "signal back")
    let checks = scenario.checks([outcome(lost, .signalLost, shown: 600)])
    #expect(Set(checks.compactMap(\.requirement)) == Set(scenario.requirements))
  }

  // MARK: Other programs

  @Test func aBusyCameraMustSaySoAndComeBack() {
    let busy = SessionState.interrupted(.deviceInUse)
    #expect(failed(DeviceAccess.use(published: busy, shown: 80)) == [])
    #expect(failed(DeviceAccess.use(published: nil, shown: 80)) == ["published"])
    #expect(failed(DeviceAccess.use(published: .interrupted(.other), shown: 80)) == ["published"])
    #expect(failed(DeviceAccess.use(published: busy, shown: nil)) == ["resumed"])
  }

  @Test func theSecondClientIsCountedRoundByRound() {
    func red(_ change: (inout SecondClientPlay.Log) -> Void) -> [String] {
      var log = SecondClientPlay.Log(
        resumed: [80, 90, 100], device: [70, 70, 70], published: 3, undisturbed: 3)
      change(&log)
      return failed(SecondClient(rig: rig).observation(log, 3).checks)
    }
    #expect(red { _ in } == [])
    #expect(red { $0.published = 2 } == ["published"])
    #expect(red { $0.resumed.removeLast() } == ["back"])
    #expect(red { $0.undisturbed = 2 } == ["undisturbed"])
    #expect(red { $0 = SecondClientPlay.Log() } == ["published", "back", "undisturbed"])
  }

  @Test func onlyPicturesAfterTheCameraWasFreeAreARecovery() {
    // This picture was dequeued before the device was free, and shown afterwards.
    let waiting = Presentation.example(exposure: at(60), arrival: at(95), presented: at(110))
    let fresh = Presentation.example(exposure: at(120), presented: at(150))
    #expect(SecondClientPlay.resumed(freed: at(100), in: [waiting, fresh]) == 50)
    #expect(SecondClientPlay.resumed(freed: at(100), in: [waiting]) == nil)
    #expect(SecondClientPlay.resumed(freed: at(100), in: []) == nil)
  }

  // MARK: Another mode, frames shared, formats

  @Test func everyModeMustBeFollowed() {
    func red(_ times: [Double]) -> [String] {
      failed(OtherSignal(rig: rig).observation(times, [], device: [70]).checks)
    }
    #expect(red([80, 90, 100, 110]) == [])
    #expect(red([80, 90, 100]) == ["followed"])
    #expect(red([]) == ["followed"])
  }

  @Test func sharedFramesMustBeTheFrameAndBeClosed() {
    func red(same: Int = 40, different: Int = 0, after: ProcessFootprint = ProcessFootprint(descriptors: 9))
      -> [String]
    {
      failed(
        SharedFrames(rig: rig).observation(
          same, different, buffers: 4, before: ProcessFootprint(descriptors: 9), after: after
        ).checks
      )
    }
    #expect(red() == [])
    #expect(red(same: 39, different: 1) == ["same"])
    #expect(red(same: 39) == ["same"])
    #expect(red(same: 0) == ["same"])
    #expect(red(after: ProcessFootprint(descriptors: 10)) == ["closed"])
    #expect(red(after: ProcessFootprint(descriptors: 9, videoMappings: 1)) == ["closed"])
  }

  @Test func aFormatThatIsNotShownFailsItsCamera() {
    let shown = FormatSweep.Row(camera: "a", format: "NV12")
    let black = FormatSweep.Row(camera: "b", format: "YUYV", complaint: "no picture")
    let foreign = FormatSweep.Row(camera: "a", format: "XXXX", complaint: nil, isForeign: true)
    #expect(FormatSweep.checks([shown, foreign]).map(\.passed) == [true])
    #expect(FormatSweep.checks([shown, black]).map(\.passed) == [true, false])
    #expect(FormatSweep.checks([foreign]).map(\.passed) == [false])
    #expect(FormatSweep.checks([]).isEmpty)
  }

  @Test func onlyTheCamerasOwnNodeMayBeOpen() {
    let own = "/dev/video2"
    #expect(HeldNodes.complaint([own], own: own) == nil && HeldNodes.complaint([], own: nil) == nil)
    for held in [[], ["/dev/video0"], ["/dev/video0", own]] as [Set<String>] {
      #expect(HeldNodes.complaint(held, own: own) != nil)
    }
  }

  // MARK: The loop, and other programs

  @Test func aNumberInTheLoopCountsOnce() {
    let written = (0..<5).map { at(Int64($0) * 16) }
    func shown(_ code: UInt32?, late: Int64 = 40) -> Presentation {
      let number = Int64(code ?? 0)
      return Presentation.example(exposure: at(number * 16), presented: at(number * 16 + late), code: code)
    }
    let sound = LoopReading((0..<5).map { shown(UInt32($0)) }, written: written)
    #expect(sound.latencies == [40, 40, 40, 40, 40] && sound.unreadable == 0)
    let late = LoopReading([shown(0), shown(1, late: 90)], written: written)
    #expect(late.latencies == [40, 90])
    let doubled = LoopReading([shown(0), shown(0, late: 56), shown(2)], written: written)
    #expect(doubled.latencies == [40, 40] && doubled.unreadable == 0)
    let strange = LoopReading([shown(nil), shown(7)], written: written)
    #expect(strange.latencies.isEmpty && strange.unreadable == 2)
    #expect(LoopReading([], written: written).latencies.isEmpty)
  }

  @Test func whoHasItsFrameLaterThanOthersIsTold() {
    func red(_ change: (inout RoundLog) -> Void) -> [String] {
      var log = RoundLog(ours: [50, 52, 54], presented: [45, 46, 47])
      log.peers = ["v4l2-ctl": [49, 50, 51], "ffmpeg": [200, 210, 220]]
      change(&log)
      let peers = Peer.all(node: "/dev/video0", size: (640, 480)).prefix(2).map {
        ($0, version: Optional("1"))
      }
      let findings = PeerFindings(node: "/dev/video0", size: "640×480", peers: Array(peers), log: log)
      return findings.observation.checks.filter { !$0.passed }.map(\.id)
    }
    #expect(red { _ in } == [])
    #expect(red { $0.ours = [300, 310, 320] } == ["peers.first-frame.ffmpeg.ahead"])
    #expect(red { $0.failures["ffmpeg"] = 1 } == ["peers.first-frame.ffmpeg.runs"])
    #expect(red { $0.peers = [:] } == ["peers.first-frame.v4l2-ctl.runs", "peers.first-frame.ffmpeg.runs"])
  }
}

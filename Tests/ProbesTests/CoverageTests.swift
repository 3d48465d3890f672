import CVideo4Linux
import Capture
import Charts
import Corpora
import Imagery
import ScriptedKernel
import System
import Testing
import Video4Linux

@testable import Harness
@testable import Probes

/// Missing pictures are noticed.
@Suite struct CoverageTests {
  private static let interval = Duration.milliseconds(20)
  private let chart = TimeCodeChart(rect: ChartRect(x: 0, y: 0, width: 24, height: 24), period: nil)

  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  /// Returns a play of pictures every 20 ms, except those in `lost`.
  private func play(_ count: UInt32, lost: Range<UInt32> = 0..<0, ended: Int64) -> WatchedPlay {
    let log = (0..<count).filter { !lost.contains($0) }.map { number in
      let exposure = at(Int64(number) * 20)
      return Presentation.example(
        sequence: number, exposure: exposure, presented: exposure + Self.interval, code: number)
    }
    return WatchedPlay(began: at(0), ended: at(ended), log: log)
  }

  @Test func aFreezeIsSeenAtAnyPlace() {
    #expect(play(50, ended: 1000).longestGap(chart: chart) == 20)
    #expect(play(20, ended: 1000).longestGap(chart: chart) == 600)
    #expect(play(50, lost: 10..<20, ended: 1000).longestGap(chart: chart) == 220)
    #expect(play(50, lost: 0..<30, ended: 1000).longestGap(chart: chart) == 620)
    #expect(play(50, lost: 45..<50, ended: 1000).longestGap(chart: chart) == 100)
    #expect(play(0, ended: 1000).longestGap(chart: chart) == 1000)
  }

  @Test func aPictureShownAgainIsNotANewOne() {
    let stuck = (0..<50).map { number in
      Presentation.example(
        sequence: UInt32(number), exposure: at(Int64(number) * 20), presented: at(Int64(number) * 20 + 20),
        code: UInt32(min(number, 30)))
    }
    let play = WatchedPlay(began: at(0), ended: at(1000), log: stuck)
    #expect(play.longestGap(chart: chart) == 380)
  }

  /// The source pauses and then continues its numbers, so only the scene's time shows the missing pictures.
  @Test func picturesMissingByTimeAreDroppedOnes() {
    let paused = (0..<10).map { number in
      let exposure = at(Int64(number) * 20 + (number < 5 ? 0 : 200))
      return Presentation.example(
        sequence: UInt32(number), exposure: exposure, presented: exposure + Self.interval,
        code: UInt32(number))
    }
    #expect(PanProbe(paused, chart: chart, interval: Self.interval).dropped == 10)
  }

  @Test func unreadablePicturesAreTold() {
    let blank = (0..<10).map { number in
      Presentation.example(
        sequence: UInt32(number), exposure: at(Int64(number) * 20), presented: at(Int64(number) * 20 + 20))
    }
    let probe = PanProbe(blank, chart: chart, interval: Self.interval)
    #expect(probe.unreadable == 10 && probe.dropped == 0)
  }

  /// A recording that is shorter than the play is repeated.
  @Test func aShortRecordingIsWatchedToTheEnd() async throws {
    let rig = Rig(specification: "corpus:shelf-pan?seconds=1", viewfinder: "")
    let play = MovingPlay(subject: try MovingSubject(rig), rig: rig)
    let seen = try await play.virtualWatch(for: .milliseconds(2500))
    let probe = PanProbe(seen.log, of: play.subject)
    #expect(seen.longestGap(chart: play.subject.chart) < 34)
    #expect(probe.dropped == 0 && probe.reordered == 0 && probe.unreadable == 0 && seen.log.count == 75)
  }

  // MARK: The device's own time

  @Test func aRecordingTakesWhatItsTrackSays() async throws {
    func samples(_ specification: String) async throws -> [Double] {
      try await DeviceStart(rig: Rig(specification: specification, viewfinder: ""), bundled: "")
        .samples(count: 5)
    }
    #expect(try await samples("corpus:shelf-pan") == [33.333333])
    #expect(try await samples("corpus:shelf-pan?speed=2") == [16.666666])
    await #expect(throws: Unsupported.self) { try await samples("corpus:shelf-pan?format=NV12") }
  }

  @Test func aDeviceIsReadWithoutTheEngine() async throws {
    let clock = SteppingClock()
    let kernel = try scriptedCamera(clock)
    kernel.fill(every: 20_000_000)
    let reader = try PlainReader(V4L2Source(path: "/dev/video0", kernel: kernel))
    let began = clock.now()
    let read = try reader.firstFrame()
    #expect(read == (clock.now() - began).milliseconds && (0...20).contains(read) && read > 0)
    #expect(kernel.leaks.isEmpty)
    let silent = try PlainReader(V4L2Source(path: "/dev/video0", kernel: try scriptedCamera(clock)))
    #expect(throws: Unsupported.self) { try silent.firstFrame() }
  }

  private func scriptedCamera(_ clock: SteppingClock) throws -> ScriptedKernel {
    let kernel = ScriptedKernel {
      $0.node = "/dev/video0"
      $0.modes = [ScriptedMode(.nv12, 64, 36, [50])]
    }
    let unused = try WakeSignal()
    kernel.live(
      in: ScriptedKernel.World(
        now: { clock.now().nanoseconds },
        wait: { until, wake in
          clock.wait(until: MonotonicTime(nanoseconds: until ?? .max), wake: wake ?? unused)
        }))
    return kernel
  }

  // MARK: The shutter

  @Test func pressesAreJudgedByTheStatesAroundThem() {
    func press(_ before: SessionState, _ after: SessionState?, _ error: SessionError?) -> ShutterPress {
      ShutterPress(pressed: at(0), answered: at(1), state: before, error: error, stateAfter: after)
    }
    let away = SessionState.interrupted(.deviceInUse)
    #expect(press(away, away, nil).isAcceptedWhileInterrupted)
    #expect(!press(away, .running, nil).isAcceptedWhileInterrupted)
    #expect(!press(.running, away, nil).isAcceptedWhileInterrupted)
    #expect(!press(away, away, .captureRefused(away)).isAcceptedWhileInterrupted)
  }
}

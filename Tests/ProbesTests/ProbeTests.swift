import Capture
import Charts
import Imagery
import System
import Testing

@testable import Probes

/// Probes on invented logs.
@Suite struct ProbeTests {
  private let chart = TimeCodeChart(rect: ChartRect(x: 0, y: 0, width: 24, height: 24), period: nil)
  private let interval = Duration.milliseconds(20)

  /// Returns one presentation for each code, exposed `sequence` intervals after zero and shown `delay` after the frame's end.
  private func log(_ codes: [UInt32?], delay: Duration = .milliseconds(5)) -> [Presentation] {
    codes.enumerated().map { index, code in
      let exposure = MonotonicTime(nanoseconds: 0) + interval * index
      return Presentation.example(
        sequence: UInt32(index), exposure: exposure, presented: exposure + interval + delay, code: code)
    }
  }

  @Test func latencyIsReadOffTheNumberInThePicture() {
    let probe = LatencyProbe(log([0, 1, 2]), chart: chart, interval: interval)
    #expect(probe.glassToGlass == [25, 25, 25])
    #expect(probe.unreadable == 0)
  }

  @Test func aNumberShownAgainCountsOnce() {
    let probe = LatencyProbe(log([0, 0, 2]), chart: chart, interval: interval)
    #expect(probe.glassToGlass == [25, 25])
  }

  @Test func aPictureThatShowsAnOlderFrameIsAsLateAsItIs() {
    // The second picture should be frame 1, but shows frame 0, which was not shown before.
    let probe = LatencyProbe(Array(log([nil, 0])), chart: chart, interval: interval)
    #expect(probe.glassToGlass == [45])
    #expect(probe.unreadable == 1)
  }

  @Test(
    arguments: [
      ([0, 1, 2, 3], 0, 0, 0), ([0, 2, 3], 1, 0, 0), ([0, 0, 2], 0, 1, 0), ([0, 2, 1, 3], 0, 0, 1),
      ([0, 1, 1, 1, 4], 0, 2, 0),
    ] as [([UInt32], Int, Int, Int)])
  func pans(codes: [UInt32], dropped: Int, repeated: Int, reordered: Int) {
    let probe = PanProbe(log(codes), chart: chart, interval: interval)
    #expect(probe.dropped == dropped)
    #expect(probe.repeated == repeated)
    #expect(probe.reordered == reordered)
  }

  @Test func codesThatStartAgainAreTakenForTheNearest() {
    let looping = TimeCodeChart(rect: chart.rect, period: 300)
    #expect(looping.number(of: 0, near: 300) == 300)
    #expect(looping.number(of: 299, near: 300) == 299)
    #expect(looping.number(of: 1, near: 899) == 901)
    #expect(looping.number(of: 5, near: 4) == 5)
  }
}

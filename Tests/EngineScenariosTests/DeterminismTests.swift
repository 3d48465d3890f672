import Capture
import Foundation
import Harness
import Imagery
import Synchronization
import System
import Testing

@testable import EngineScenarios
@testable import Probes

/// Exact metrics do not depend on how busy the machine is.
@Suite struct DeterminismTests {
  private let rig = Rig(specification: "simulated:320x240@50", viewfinder: "")

  private struct Shots: Equatable, CustomTestStringConvertible {
    var numbers: [UInt32] = []
    var bytes: [[UInt8]] = []

    init(_ shots: [PhotoShot]) {
      numbers = shots.map(\.photo.frame.sequence)
      bytes = shots.map(\.photo.photo.bytes)
    }

    /// The description leaves out the pictures, which are megabytes of numbers.
    var testDescription: String { "frames \(numbers), \(bytes.map(\.count)) bytes" }
  }

  @Test func theSameFramesArePhotographedBesideALoad() async throws {
    let play = PhotoPlay(rig: rig, bundled: "")
    let quiet = Shots(try await play.shots(count: 6))
    #expect(quiet.numbers == [3, 6, 9, 12, 15, 18])
    for load in [2, 7] {
      let busy = try await Load.beside(threads: load) { Shots(try await play.shots(count: 6)) }
      #expect(busy == quiet)
    }
  }

  @Test func everyMetricOfPhotosThatIsExactIsTheSameBesideALoad() async throws {
    let scenario = PhotoFormats(rig: rig, count: 3)
    func exact() async throws -> [String: [Double]] {
      let metrics = try await scenario.run(context()).metrics.filter { $0.kind == .exact }
      return Dictionary(metrics.map { ($0.id, $0.samples) }, uniquingKeysWith: { first, _ in first })
    }
    let quiet = try await exact()
    #expect(
      Set(quiet.keys.map { $0.split(separator: ".").last.map(String.init) ?? "" }) == [
        "bytes", "tokens-seed", "tokens-gemini-2", "likeness", "scaling", "chroma", "chroma-p99",
        "scaling-ssim", "scaling-chroma",
      ])
    #expect(try await Load.beside(threads: 6) { try await exact() } == quiet)
  }

  @Test func whatATimeIsOfIsAMatterOfTimeAndNothingElseIs() async throws {
    let metrics = try await PhotoFormats(rig: rig, count: 2).run(context()).metrics
    for metric in metrics {
      #expect((metric.kind == .timed) == (metric.unit == .milliseconds), "\(metric.id)")
    }
  }

  /// A late press photographs the same frame, because virtual time waits for the press.
  @Test func aPressThatIsHeldUpPhotographsTheSameFrame() async throws {
    let clock = VirtualClock()
    let source = try rig.source(orBundled: "")
    let output = PhotoOutput(clock: clock)
    let session = CaptureSession(source: source, configuration: .unattended, clock: clock)
    await session.add(output)
    try await session.start()
    let interval = Duration.milliseconds(20)
    let shutter = VirtualShutter(session: session, output: output, clock: clock, interval: interval)
    await clock.run(for: interval * 11 / 4)
    let settings = (0..<8).map { _ in PhotoSettings() }
    let photos = try await Load.beside(threads: 6) { try await shutter.photos(settings) }
    #expect(Set(photos.map(\.frame.sequence)) == [3])
    await session.stop()
  }

  private func context() -> ScenarioContext {
    ScenarioContext(source: SourceDescription(kind: "simulated", name: "drawn"))
  }
}

/// Threads that use the processor in bursts, as other programs do. Each uses at most 0.2 s in all, which is more than the code
/// beside them needs on an idle machine. Without this limit, each would occupy a processor for a minute when all other tests run
/// too.
private enum Load {
  static func beside<Value>(threads count: Int, _ body: () async throws -> Value) async rethrows -> Value {
    let stop = Flag()
    defer { stop.raise() }
    for _ in 0..<count {
      Thread.detachNewThread { for _ in 0..<100 where !stop.isRaised { burn(2) } }
    }
    return try await body()
  }

  /// Uses `milliseconds` of processor time, then yields the processor.
  private static func burn(_ milliseconds: Int) {
    let end = processorTime() + milliseconds * 1_000_000
    while processorTime() < end {}
    usleep(1000)
  }

  /// Processor time of this thread, in nanoseconds.
  private static func processorTime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  private final class Flag: Sendable {
    private let state = Atomic(false)
    var isRaised: Bool { state.load(ordering: .relaxed) }
    func raise() { state.store(true, ordering: .relaxed) }
  }
}

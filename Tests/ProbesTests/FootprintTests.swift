import Foundation
import Testing

@testable import Probes

/// The resources that this process holds, counted by the kernel.
@Suite struct FootprintTests {
  /// The runtime chooses how many threads its pool has, so they must not count. This test runs on one of them.
  @Test func threadsOfThePoolAreNotCounted() async throws {
    let ours = try #require(await Self.nameOfThread())
    let program = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8)
    #expect(ProcessFootprint.isOfPool(ours, of: program), "a test runs on \(ours)")
    #expect(
      !ProcessFootprint.isOfPool("capture", of: program)
        && !ProcessFootprint.isOfPool("swiftwing-harne", of: program))
  }

  @Test func whatIsOpenForAMomentIsNotWhatStays() {
    let leaking = ProcessFootprint(descriptors: 9, videoDescriptors: 1, mappings: 60, threads: 5)
    let reading = ProcessFootprint(
      descriptors: 11, videoDescriptors: 1, mappings: 59, videoMappings: 1, threads: 4)
    #expect(
      leaking.least(reading)
        == ProcessFootprint(descriptors: 9, videoDescriptors: 1, mappings: 59, videoMappings: 0, threads: 4))
  }

  @concurrent private static func nameOfThread() async -> String? {
    try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
  }
}

import Foundation
import Testing

@testable import Probes

/// What this process holds, counted by the kernel.
@Suite struct FootprintTests {
  /// The runtime decides how many threads it has: this test runs on one of them.
  @Test func threadsOfThePoolAreNotCounted() async throws {
    let ours = try #require(await Self.nameOfThread())
    #expect(ProcessFootprint.isOfPool(ours), "a test runs on \(ours)")
    #expect(!ProcessFootprint.isOfPool("capture") && !ProcessFootprint.isOfPool("swiftwing-harne"))
  }

  @concurrent private static func nameOfThread() async -> String? {
    try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
  }
}

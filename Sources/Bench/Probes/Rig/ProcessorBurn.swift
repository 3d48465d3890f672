import Imagery
import System

/// Processor time spent for nothing, as a slower engine spends it. Nothing waits: who has to share the processor takes as much longer
/// as a slower engine would.
package struct ProcessorBurn: Sendable {
  /// Longest at once, whatever is asked for.
  static let limit = Duration.seconds(60)

  /// What the calling thread has spent.
  let now: @Sendable () -> Duration

  /// - Parameter now: what the calling thread has spent; a test passes a time of its own.
  package init(now: @escaping @Sendable () -> Duration = ProcessorTime.ofThread) { self.now = now }

  /// Spends so much more that all of it since `began` is `percent` more than it was. What finding that out takes is part of it.
  /// - Parameters:
  ///   - percent: 0 or more.
  ///   - began: the calling thread's processor time when what is made slower began.
  package func take(_ percent: Int, since began: Duration) {
    let used = now() - began
    let end = began + used + min(used * percent / 100, Self.limit)
    while now() < end {}
  }

  /// As much more as `percent` of `used`, which others than the calling thread spent too.
  package func take(_ percent: Int, of used: Duration) {
    let end = now() + min(used * percent / 100, Self.limit)
    while now() < end {}
  }
}

import Imagery
import System

/// Processor time used for nothing, as by a slower engine. The thread does not sleep, so if the processor is shared, it takes as much longer as a
/// slower engine would.
package struct ProcessorBurn: Sendable {
  /// Longest time that is used at once.
  static let limit = Duration.seconds(60)

  /// A function that returns the processor time of the calling thread.
  let now: @Sendable () -> Duration

  /// - Parameter now: returns the processor time of the calling thread; tests pass a made-up time.
  package init(now: @escaping @Sendable () -> Duration = ProcessorTime.ofThread) { self.now = now }

  /// Uses additional processor time: `percent` of the time that was used since `began`. The time for measuring is included.
  /// - Parameters:
  ///   - percent: the additional time, in percent of the time used since `began`, 0 or more.
  ///   - began: the calling thread's processor time when the slowed work began.
  package func take(_ percent: Int, since began: Duration) {
    let used = now() - began
    let end = began + used + min(used * percent / 100, Self.limit)
    while now() < end {}
  }

  /// Uses `percent` of `used` as additional processor time; `used` may include the time of other threads.
  package func take(_ percent: Int, of used: Duration) {
    let end = now() + min(used * percent / 100, Self.limit)
    while now() < end {}
  }
}

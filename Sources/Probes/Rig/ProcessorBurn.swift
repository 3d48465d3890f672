import Imagery

/// Processor time spent for nothing, as a slower engine spends it. Nothing waits: who has to share the processor takes as much longer
/// as a slower engine would.
package enum ProcessorBurn {
  /// Longest at once, whatever is asked for.
  static let limit = Duration.seconds(60)

  /// Spends so much more that all of it since `began` is `percent` more than it was. What finding that out takes is part of it.
  /// - Parameters:
  ///   - percent: 0 or more.
  ///   - began: the calling thread's processor time when what is made slower began.
  package static func take(_ percent: Int, since began: Duration) {
    let used = ProcessorTime.ofThread() - began
    let end = began + used + min(used * percent / 100, limit)
    while ProcessorTime.ofThread() < end {}
  }

  /// As much more as `percent` of `used`, which others than the calling thread spent too.
  package static func take(_ percent: Int, of used: Duration) {
    let end = ProcessorTime.ofThread() + min(used * percent / 100, limit)
    while ProcessorTime.ofThread() < end {}
  }
}

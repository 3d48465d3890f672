import Imagery

/// Processor time spent for nothing, as a slower engine spends it. Nothing waits: who has to share the processor takes as much longer
/// as a slower engine would.
package enum ProcessorBurn {
  /// Longest at once, whatever is asked for.
  static let limit = Duration.seconds(60)

  /// - Parameters:
  ///   - percent: of `used`, 0 or more.
  ///   - used: processor time.
  package static func take(_ percent: Int, of used: Duration) {
    let end = ProcessorTime.ofThread() + min(used * percent / 100, limit)
    while ProcessorTime.ofThread() < end {}
  }
}

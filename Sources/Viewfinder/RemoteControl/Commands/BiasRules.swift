package import System

/// Decides which values of an exposure-bias dial are sent to the device: at most ten previews per second, and one commit if the value changed.
package struct BiasRules: Sendable {
  private var lastPreview: MonotonicTime?
  /// The last value that was sent.
  private var sent: Double?

  package static let spacing = Duration.milliseconds(100)
  package static let leastChange = 0.001

  package init() {}

  /// Whether to send the value to the device.
  /// - Parameter present: the device's present value. Nil if unknown.
  package mutating func sends(_ value: Double, isCommit: Bool, present: Double?, at time: MonotonicTime)
    -> Bool
  {
    if !isCommit, let lastPreview, time - lastPreview < Self.spacing { return false }
    let holds = sent ?? present
    if isCommit {
      lastPreview = nil
      sent = nil
    } else {
      lastPreview = time
      sent = value
    }
    return holds.map { abs($0 - value) >= Self.leastChange } ?? true
  }
}

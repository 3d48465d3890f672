import Imagery
package import System

/// When a dial for exposure bias reaches the device: at most ten previews a second, and one commit where something changed.
package struct BiasRules: Sendable {
  private var lastPreview: MonotonicTime?
  /// What was sent last.
  private var sent: Double?

  package static let spacing = Duration.milliseconds(100)
  package static let leastChange = 0.001

  package init() {}

  /// Whether the value goes to the device.
  /// - Parameter present: what the device has; nil where that is not known.
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

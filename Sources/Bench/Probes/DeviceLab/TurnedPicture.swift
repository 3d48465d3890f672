package import Imagery
package import System

/// A picture from one of the outputs, and how it was turned.
package struct TurnedPicture: Sendable {
  package let output: String
  package let exposure: MonotonicTime
  /// By its own facts.
  package let applied: Orientation
  /// By its pixels: how the stored picture must have been turned; nil where they carry no code.
  package let seen: Orientation?

  package init(output: String, exposure: MonotonicTime, applied: Orientation, seen: Orientation?) {
    self.output = output
    self.exposure = exposure
    self.applied = applied
    self.seen = seen
  }
}

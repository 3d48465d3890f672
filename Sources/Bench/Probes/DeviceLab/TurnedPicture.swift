package import Imagery
package import System

/// A picture from one of the outputs, and how it was turned.
package struct TurnedPicture: Sendable {
  package let output: String
  package let exposure: MonotonicTime
  /// The orientation that the picture states.
  package let applied: Orientation
  /// The orientation that the pixels show. Nil if the pixels carry no code.
  package let seen: Orientation?

  package init(output: String, exposure: MonotonicTime, applied: Orientation, seen: Orientation?) {
    self.output = output
    self.exposure = exposure
    self.applied = applied
    self.seen = seen
  }
}

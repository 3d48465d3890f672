package import Imagery
package import Log
import System

extension Log {
  /// Notes what became of a frame at one output, from its arrival until now.
  /// - Parameter name: a literal.
  package static func fate(_ name: String, of frame: Frame) {
    fate(name, of: frame.sequence, since: frame.arrivalTime.nanoseconds)
  }
}

package import Imagery
package import Log
import System

extension Log {
  /// Logs the fate of a frame at one output, as an interval from its arrival until now.
  /// - Parameter name: a literal.
  package static func fate(_ name: String, of frame: Frame) {
    fate(name, of: frame.sequence, since: frame.arrivalTime.nanoseconds)
  }
}

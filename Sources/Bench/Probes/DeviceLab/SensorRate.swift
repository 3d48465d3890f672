import Imagery
import System

import class FoundationEssentials.FileManager

/// The sampling rate of the accelerometer, as reported by the kernel.
package enum SensorRate {
  /// Returns the longest interval of the accelerometers present. A tenth of a second if none reports one.
  package static func interval() -> Duration {
    let folder = "/sys/bus/iio/devices"
    let rates = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { id in
      FileManager.default.contents(atPath: "\(folder)/\(id)/in_accel_sampling_frequency")
        .flatMap { Double(String(decoding: $0, as: UTF8.self).filter { !$0.isWhitespace }) }
    }
    guard let slowest = rates.filter({ $0 > 0 && $0.isFinite }).min() else { return .milliseconds(100) }
    return .nanoseconds(Int64(1e9 / max(slowest, 1)))
  }
}

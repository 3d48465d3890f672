import Capture
import Glibc
import Harness
import Imagery
import Probes
import Replay
import System

/// The response to one step of the light under shutter priority.
struct LightStep: Sendable {
  /// The name in a report, such as `60 fps, delay 2, metered by the camera, +3.0 EV`.
  var name: String
  /// Change of the light, in EV.
  var stop: Double
  /// Whether the camera meters, and aims at 0 EV. Otherwise the engine meters, and aims at the exposure before the step.
  var isMetered: Bool
  /// Error of the exposure before the step, in EV.
  var rest: Double
  /// Error of the exposure of each frame after the step, in EV, positive if too bright. The first frame is wholly exposed in the new light.
  var offsets: [Double]
  /// Times after the step at which the sensitivity was set.
  var sets: [MonotonicTime]
  /// The sensitivities set, in the order of `sets`.
  var sensitivities: [Double]
  /// Range of the sensor's sensitivities.
  var range: ClosedRange<Double>
  /// Exposure times of all frames, in seconds.
  var durations: [Double]
  /// The expected exposure time, in seconds.
  var wanted: Double

  /// Largest accepted error, in EV: the dead band of 0.1 EV, and noise. If the engine meters, the dead band counts twice, since the error
  /// before the step may lie at the other end of the band.
  var tolerance: Double { isMetered ? 0.15 : 0.25 }
  private var aim: Double { isMetered ? 0 : rest }

  /// Number of frames after the step until the exposure stayed right. Nil if it did not settle.
  var settled: Int? {
    guard let last = offsets.last, abs(last - aim) <= tolerance else { return nil }
    return (offsets.lastIndex { abs($0 - aim) > tolerance } ?? -1) + 1
  }

  /// Overshoot of the exposure beyond its aim, away from the first error, in EV.
  var overshoot: Double {
    let off = offsets.map { $0 - aim }
    guard let first = off.first(where: { abs($0) > tolerance }) else { return 0 }
    return max(0, off.map { first > 0 ? -$0 : $0 }.max() ?? 0)
  }

  /// The greatest number of times that the sensitivity was set within a second.
  var mostSets: Int {
    sets.indices.map { first in sets[first...].prefix { $0 - sets[first] < .milliseconds(999) }.count }.max()
      ?? 0
  }

  /// The number of times that the sensitivity was set needlessly: changed by less than 0.07 EV, or set at all while the light stayed the
  /// same.
  var needless: Int {
    if stop == 0 { return sets.count }
    return zip(sensitivities, sensitivities.dropFirst()).count { abs(log2($1 / $0)) < 0.07 }
  }

  var holdsTime: Bool { !durations.isEmpty && durations.allSatisfy { abs($0 - wanted) < 1e-4 } }
}

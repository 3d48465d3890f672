import Capture
import Glibc
import Harness
import Imagery
import Probes
import Replay
import System

/// What became of one step of the light under shutter priority.
struct LightStep: Sendable {
  /// As in a report: `60 fps, delay 2, told, +3 EV`.
  var name: String
  /// EV by which the light changed.
  var stop: Double
  /// The camera meters, and aims at 0 EV; otherwise the engine does, whose aim is another.
  var isMetered: Bool
  /// How far off the pictures were before the step, in EV.
  var rest: Double
  /// EV by which each frame after the step was too bright, the first of them wholly in the new light.
  var offsets: [Double]
  /// When the sensitivity was set, after the step.
  var sets: [MonotonicTime]
  /// The sensitivities, in that order.
  var sensitivities: [Double]
  /// The least and the most that the sensor has.
  var range: ClosedRange<Double>
  /// Shutter times of all frames, in seconds.
  var durations: [Double]
  /// What the shutter time was to be.
  var wanted: Double

  /// What counts as right: the dead band of 0.1 EV, and noise. Beside a rest that may be at the other end of the dead band, twice that.
  var tolerance: Double { isMetered ? 0.15 : 0.25 }
  private var aim: Double { isMetered ? 0 : rest }

  /// Frames that were not right yet; nil when it never came to rest.
  var settled: Int? {
    guard let last = offsets.last, abs(last - aim) <= tolerance else { return nil }
    return (offsets.lastIndex { abs($0 - aim) > tolerance } ?? -1) + 1
  }

  /// How far the pictures went beyond the right exposure to the other side, in EV.
  var overshoot: Double {
    let off = offsets.map { $0 - aim }
    guard let first = off.first(where: { abs($0) > tolerance }) else { return 0 }
    return max(0, off.map { first > 0 ? -$0 : $0 }.max() ?? 0)
  }

  /// The most sets that begin within any second.
  var mostSets: Int {
    sets.indices.map { first in sets[first...].prefix { $0 - sets[first] < .milliseconds(999) }.count }.max()
      ?? 0
  }

  /// Changes by less than the dead band: a sensitivity that was nearly there already; and any at all while the light stays.
  var needless: Int {
    if stop == 0 { return sets.count }
    return zip(sensitivities, sensitivities.dropFirst()).count { abs(log2($1 / $0)) < 0.07 }
  }

  var holdsTime: Bool { !durations.isEmpty && durations.allSatisfy { abs($0 - wanted) < 1e-4 } }
}

import Imagery
import System

/// Converts exposure times to times in a recording, which begin at 0 and only grow.
///
/// A camera that is reopened, a faulty driver or a machine that slept may set the clock back, or far ahead. A file can hold neither: times
/// of MP4 grow, and a frame lasts less than 2³¹ units of its scale. Such a jump is removed for all following frames, and so are the steps that
/// the camera itself reports (`Frame.clockSteps`).
struct RecordingTimeline {
  /// The longest time between two frames, half an hour, because an hour exceeds the range of MP4 in microseconds.
  static let longestStep: Int64 = 1_800_000_000_000
  /// The limit of a slip: a single frame that is early by less than this has a wrong stamp. A second such frame in a row means a clock jump.
  static let slip: Int64 = 1_000_000_000
  /// The shortest time between two frames: the microsecond, the unit of files.
  static let shortestStep: Int64 = 1_000

  /// The plausible range of a time: thirty-six years, longer than any machine runs.
  private static let bounds = -(Int64(1) << 60)...(Int64(1) << 60)

  private let interval: Int64
  /// The value to add to an exposure time.
  private var shift: Int64 = 0
  /// The time of the previous frame in the recording; nil before the first.
  private(set) var last: Int64?
  /// The time of the latest frame that was not early.
  private var latest: Int64 = 0
  /// The number of early frames since `latest`.
  private var slips: Int64 = 0
  /// The arrival of the previous frame.
  private var arrival = MonotonicTime(nanoseconds: 0)
  /// The camera's clock steps at the previous frame (`Frame.clockSteps`).
  private var clockSteps = 0
  private(set) var jumps = 0

  /// - Parameter interval: the time between two frames, in nanoseconds; a frame after a jump back follows after this time.
  init(interval: Int64) { self.interval = max(interval, Self.shortestStep) }

  /// The time of the next frame, in nanoseconds since the first.
  mutating func time(of frame: Frame) -> Int64 {
    if let last, frame.clockSteps > clockSteps {
      jumps += frame.clockSteps - clockSteps
      takeOutStep(to: Self.stamp(frame.exposureTime), after: last, frame.arrivalTime)
    }
    arrival = frame.arrivalTime
    clockSteps = frame.clockSteps
    return time(of: frame.exposureTime)
  }

  /// Removes a step of the camera's clock: places the frame after the previous one by the
  /// time between their arrivals, unless the exposure times give nearly the same.
  private mutating func takeOutStep(to stamp: Int64, after last: Int64, _ arrival: MonotonicTime) {
    let passed = Self.stamp(arrival) - Self.stamp(self.arrival)
    guard abs(stamp + shift - last - passed) > interval / 2 else { return }
    shift = last - stamp + min(max(passed, interval), Self.longestStep)
  }

  private static func stamp(_ time: MonotonicTime) -> Int64 {
    min(max(time.nanoseconds, bounds.lowerBound), bounds.upperBound)
  }

  /// The time of a frame whose exposure time alone is known.
  mutating func time(of exposure: MonotonicTime) -> Int64 {
    let stamp = Self.stamp(exposure)
    guard let last else {
      self.last = 0
      shift = -stamp
      return 0
    }
    var time = stamp + shift
    let isSecondSlip = time < latest && slips > 0
    if time < last - Self.slip || isSecondSlip || time > last + Self.longestStep {
      // Count an interval for each frame that was taken for a slip: it had no time of its own.
      time = time > latest ? last + Self.longestStep : latest + interval * (slips + 1)
      shift = time - stamp
      latest = time
      slips = 0
      jumps += 1
    } else {
      slips = time < latest ? slips + 1 : 0
      latest = max(latest, time)
      time = max(time, last + Self.shortestStep)
    }
    self.last = time
    return time
  }
}

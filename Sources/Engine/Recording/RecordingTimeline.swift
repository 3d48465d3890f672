import Imagery
import System

/// Times of exposure → times in a recording, which begin at 0 and only grow.
///
/// A camera that is reopened, a driver with a fault or a machine that slept may put the clock back, or far ahead. A file cannot hold either: times
/// of MP4 grow, and a frame lasts less than 2³¹ units of its scale. Such a jump is taken out, for all frames that follow; so are the steps that
/// the camera itself tells of (`Frame.clockSteps`).
struct RecordingTimeline {
  /// What may lie between two frames: an hour is beyond what MP4 holds at microseconds.
  static let longestStep: Int64 = 1_800_000_000_000
  /// One frame that is less early than this is a slip of its stamp alone. A second one in a row is the clock's.
  static let slip: Int64 = 1_000_000_000
  /// The least from frame to frame: the microsecond that files count in.
  static let shortestStep: Int64 = 1_000

  /// No clock of a running machine shows more: thirty-six years.
  private static let bounds = -(Int64(1) << 60)...(Int64(1) << 60)

  private let interval: Int64
  /// What is added to a time of exposure.
  private var shift: Int64 = 0
  /// Of the frame before; nil before the first.
  private(set) var last: Int64?
  /// Of the latest frame that was not early, and how many were since.
  private var latest: Int64 = 0
  private var slips: Int64 = 0
  /// When the frame before was taken, and what its camera said of its clock.
  private var arrival = MonotonicTime(nanoseconds: 0)
  private var clockSteps = 0
  /// How often the clock jumped.
  private(set) var jumps = 0

  /// - Parameter interval: from frame to frame, in nanoseconds: what a jump back becomes.
  init(interval: Int64) { self.interval = max(interval, Self.shortestStep) }

  /// Nanoseconds since the first frame, for the next one.
  mutating func time(of frame: Frame) -> Int64 {
    if let last, frame.clockSteps > clockSteps {
      jumps += frame.clockSteps - clockSteps
      takeOutStep(to: Self.stamp(frame.exposureTime), after: last, frame.arrivalTime)
    }
    arrival = frame.arrivalTime
    clockSteps = frame.clockSteps
    return time(of: frame.exposureTime)
  }

  /// Exposures lie as far apart as the frames arrived, unless their times say nearly so.
  private mutating func takeOutStep(to stamp: Int64, after last: Int64, _ arrival: MonotonicTime) {
    let passed = Self.stamp(arrival) - Self.stamp(self.arrival)
    guard abs(stamp + shift - last - passed) > interval / 2 else { return }
    shift = last - stamp + min(max(passed, interval), Self.longestStep)
  }

  private static func stamp(_ time: MonotonicTime) -> Int64 {
    min(max(time.nanoseconds, bounds.lowerBound), bounds.upperBound)
  }

  /// The same of a frame of which only its exposure is known.
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
      // Those that were taken for slips have had no time of their own.
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

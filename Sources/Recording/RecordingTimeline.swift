import Imagery

/// Times of exposure → times in a recording, which begin at 0 and only grow.
///
/// A camera that is reopened, a driver with a fault or a machine that slept may put the clock back, or far ahead. A file cannot hold either: times
/// of MP4 grow, and a frame lasts less than 2³¹ units of its scale. Such a jump is taken out, for all frames that follow.
struct RecordingTimeline {
  /// What may lie between two frames: an hour is beyond what MP4 holds at microseconds.
  static let longestStep: Int64 = 1_800_000_000_000
  /// A frame that is less early than this is a slip of its stamp alone.
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
  /// How often the clock jumped.
  private(set) var jumps = 0

  /// - Parameter interval: from frame to frame, in nanoseconds: what a jump back becomes.
  init(interval: Int64) { self.interval = max(interval, Self.shortestStep) }

  /// Nanoseconds since the first frame, for the next one.
  mutating func time(of exposure: MonotonicTime) -> Int64 {
    let stamp = min(max(exposure.nanoseconds, Self.bounds.lowerBound), Self.bounds.upperBound)
    guard let last else {
      (self.last, shift) = (0, -stamp)
      return 0
    }
    var time = stamp + shift
    if time < last - Self.slip || time > last + Self.longestStep {
      time = last + (time > last ? Self.longestStep : interval)
      shift = time - stamp
      jumps += 1
    } else {
      time = max(time, last + Self.shortestStep)
    }
    self.last = time
    return time
  }
}

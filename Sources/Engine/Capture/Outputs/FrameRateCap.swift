import System

/// Limits the rate of a stream: selects as many frames as possible, but never more than the limit in a second.
///
/// A schedule advances by one interval with every frame that passes. A late frame does not move the schedule, so
/// with a limit of 30 a second, a stream of 100 becomes 30 and not 25. An early frame passes only if the stream itself is no faster than
/// the limit: its earliness is then jitter, and a stream of 30 loses no frame. The schedule still advances by a whole interval, so a
/// stream slightly faster than the limit is limited too. No second has more frames than the limit, except
/// for the jitter of a stream with exactly that rate.
struct FrameRateCap {
  private let limit: Int
  private let interval: Int64
  /// The time that a frame may be early in the schedule: half an interval.
  private let slack: Int64
  /// The scheduled time of the next frame, in nanoseconds.
  private var due: Int64?
  /// The times of the latest offered frames, at most `limit`, the oldest first.
  private var offered: [Int64] = []
  /// The times of the latest passed frames, at most `limit`, the oldest first.
  private var passed: [Int64] = []

  private static let second: Int64 = 1_000_000_000

  /// - Parameter limit: frames a second, at least 1.
  init(limit: Int) {
    self.limit = max(limit, 1)
    interval = Self.second / Int64(self.limit)
    slack = interval / 2
  }

  /// Whether the frame exposed at `time` passes. Must be called for all frames in the order of their arrival.
  mutating func passes(_ time: MonotonicTime) -> Bool {
    let time = time.nanoseconds
    // If the timeline starts again, forget the past. A step back of a second or less is a driver's mistake; such a frame is scheduled as usual.
    if let last = offered.last, last - time > Self.second { (due, offered, passed) = (nil, [], []) }
    let tolerance = isFast(at: time) ? 0 : slack
    Self.note(time, in: &offered, most: limit)
    guard let due else { return pass(time, next: time + interval) }
    let isEarly = time < due - tolerance
    let isOneTooMany = passed.count == limit && time < passed[0] + Self.second - tolerance
    guard !isEarly, !isOneTooMany else { return false }
    // If a whole frame failed to come, start a new schedule: no later frame makes up for the gap.
    return pass(time, next: time - due < interval ? due + interval : time + interval)
  }

  /// Whether the frames up to this one came faster than the limit, by more than jitter.
  private func isFast(at time: Int64) -> Bool {
    guard let first = offered.first else { return false }
    return time - first < Int64(offered.count) * interval - slack
  }

  private mutating func pass(_ time: Int64, next: Int64) -> Bool {
    due = next
    Self.note(time, in: &passed, most: limit)
    return true
  }

  private static func note(_ time: Int64, in times: inout [Int64], most: Int) {
    if times.count == most { times.removeFirst() }
    times.append(time)
  }
}

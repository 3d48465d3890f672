import Imagery
import System

/// Chooses frames of a stream so that they are never more than so many a second, and as nearly as many as there may be.
///
/// A schedule advances by one interval with every frame that is let through. A frame that comes late does not move it, so
/// 100 frames a second become 30 and not 25. One that comes early passes only where the stream itself is no faster than
/// the limit: then it is jitter, and a camera of 30 loses nothing by it. What came early is not forgotten, so that a
/// stream a little faster than the limit is held to it all the same; and no second has more frames than the limit, but
/// for the jitter of a stream that has just as many.
struct FrameRateCap {
  private let limit: Int
  private let interval: Int64
  /// How much earlier than its place in the schedule a frame may be: half an interval.
  private let slack: Int64
  /// When the next frame should come, in nanoseconds.
  private var due: Int64?
  /// The latest frames offered, and the latest let through: as many as may be in a second. Oldest first.
  private var offered: [Int64] = []
  private var passed: [Int64] = []

  private static let second: Int64 = 1_000_000_000

  /// - Parameter limit: frames a second, at least 1.
  init(limit: Int) {
    self.limit = max(limit, 1)
    interval = Self.second / Int64(self.limit)
    slack = interval / 2
  }

  /// Whether the frame exposed at `time` is among those let through. Frames are asked about in the order they came.
  mutating func passes(_ time: MonotonicTime) -> Bool {
    let time = time.nanoseconds
    // A time line that begins anew has no past. Steps back of less are a driver's mistake, and wait their turn.
    if let last = offered.last, last - time > Self.second { (due, offered, passed) = (nil, [], []) }
    let tolerance = isFast(at: time) ? 0 : slack
    Self.note(time, in: &offered, most: limit)
    guard let due else { return pass(time, next: time + interval) }
    let isEarly = time < due - tolerance
    let isOneTooMany = passed.count == limit && time < passed[0] + Self.second - tolerance
    guard !isEarly, !isOneTooMany else { return false }
    // Where a whole frame failed to come, nothing is made up for.
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

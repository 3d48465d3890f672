import Imagery
import System

/// The clock that a driver stamps frames by, held against ours: what it reads as, on `CLOCK_MONOTONIC`, though it steps or drifts.
///
/// Three things tell how much time lies between two frames: their stamps, their arrivals and their numbers. A program that was held up has late
/// arrivals, a camera that slows down in the dark has other numbers than its rate; a stamp that agrees with neither is a step of the clock.
/// It is taken out, for all frames that follow, and counted. All times are in nanoseconds.
///
/// `uvcvideo` made such steps with UVC 1.5 cameras below 32 frames a second ("media: uvcvideo: Fix hw timestamp handling for slow FPS", mended in the
/// series of Linux commit a0df8d9450df, https://lore.kernel.org/r/20240323-resend-hwtimestamp-v10-1-b08e590d97c7@chromium.org).
struct StampClock {
  /// A frame whose stamp was read.
  private struct Sight {
    var stamp: Int64
    var number: UInt32
    var arrival: Int64
    /// On our clock.
    var time: Int64
  }

  /// No clock of a running machine shows more: thirty-six years.
  private static let bounds = -(Int64(1) << 60)...(Int64(1) << 60)
  /// Where the interval is not known.
  private static let commonInterval: Int64 = 50_000_000
  /// The least step that is told from jitter, where frames are not closer together.
  private static let leastStep: Int64 = 25_000_000
  /// The same where nothing is known of them.
  private static let sureStep: Int64 = 250_000_000
  /// So much later than usual may frames be taken: as many of them as wait in a driver's buffers.
  private static let framesWaiting: Int64 = 10

  /// From frame to frame as the device tells.
  private let interval: Int64?
  /// The same as it was seen last.
  private var pace: Int64?
  private var began: Int64?
  /// What is added to a stamp.
  private var offset: Int64 = 0
  /// The first stamp could not be; until one can, times are those of arrivals, and only what lies between them is the driver's.
  private(set) var isGuessed = false
  private var last: Sight?
  /// The offset before the latest frame, if that frame made a step.
  private var former: Int64?
  private var delays = LeastDelay()
  /// How often the clock has stepped. A stamp that is wrong by itself is one step.
  private(set) var steps = 0

  init(interval: Duration?) {
    self.interval = interval.map(\.nanoseconds).flatMap {
      $0 > 0 && $0 < Self.bounds.upperBound >> 20 ? $0 : nil
    }
  }

  /// The longer of what is known of the way from frame to frame.
  private var usual: Int64 { max(interval ?? 0, pace ?? (interval == nil ? Self.commonInterval : 0)) }

  /// A stream begins, and maybe another clock with it. Its first frame was not exposed long before that.
  mutating func restart(at now: MonotonicTime?) {
    began = now?.nanoseconds
    last = nil
    former = nil
    pace = nil
    offset = 0
    isGuessed = false
    delays = LeastDelay()
  }

  /// When a frame was stamped, on our clock; maybe a little after its arrival, as drivers do.
  /// - Parameters:
  ///   - number: one more than that of the frame before, and what was lost between them.
  ///   - guess: when it was stamped if the stamp says nothing.
  /// - Returns: nil for a stamp that stands still, or cannot be.
  mutating func time(
    of stamp: Int64, number: UInt32, arrival: MonotonicTime, guess: Int64
  ) -> Int64? {
    guard Self.bounds.contains(stamp) else { return nil }
    let arrival = arrival.nanoseconds
    guard let last else { return begin(stamp, number, arrival: arrival, guess: guess) }
    guard stamp != last.stamp else { return nil }
    let frames = Int64(min(max(1, number &- last.number), 1 << 20))
    if let due = step(stamp - last.stamp, arrival - last.arrival, frames: frames, to: stamp, arrival: arrival)
    {
      change(to: stamp, due: last.time + due, arrival)
    } else {
      former = nil
      pace = (stamp - last.stamp) / frames
    }
    return note(stamp, number, arrival: arrival)
  }

  /// The same of a frame whose stamp stands still: as long before its arrival as the last one that had a stamp.
  func time(arrivedAt arrival: MonotonicTime) -> Int64? {
    last.map { $0.time + max(0, arrival.nanoseconds - $0.arrival) }
  }

  private mutating func begin(_ stamp: Int64, _ number: UInt32, arrival: Int64, guess: Int64) -> Int64 {
    let margin = max(2 * (interval ?? Self.commonInterval), 100_000_000)
    isGuessed = stamp < (began ?? arrival) - margin || stamp > arrival + margin
    offset = isGuessed ? guess - stamp : 0
    return note(stamp, number, arrival: arrival)
  }

  private mutating func note(_ stamp: Int64, _ number: UInt32, arrival: Int64) -> Int64 {
    let usual = usual
    // A clock that runs fast is never far ahead of ours, and one that runs slow falls no further behind than frames can wait.
    let ahead = stamp + offset - arrival - max(2 * usual, 100_000_000)
    if ahead > 0 { move(by: -ahead) }
    delays.note(arrival - stamp - offset)
    if let growth = delays.growth, growth > Self.framesWaiting * usual {
      move(by: min(growth - Self.framesWaiting * usual, usual / 4))
    }
    let time = stamp + offset
    last = Sight(stamp: stamp, number: number, arrival: arrival, time: time)
    return time
  }

  private mutating func move(by change: Int64) {
    offset += change
    delays.move(by: -change)
  }

  /// - Returns: how long after the one before a frame was due, if the clock has stepped between them.
  private func step(
    _ stamps: Int64, _ arrivals: Int64, frames: Int64, to stamp: Int64, arrival: Int64
  ) -> Int64? {
    // No arrays: this is asked for every frame.
    let seen = pace.flatMap { $0 > 0 && $0 < Self.bounds.upperBound >> 20 ? $0 : nil }
    let known = seen ?? interval
    let usual = known ?? Self.commonInterval
    var due = arrivals
    if let known, abs(arrivals - known * frames) <= usual / 2 { due = known * frames }
    if stamps < 0 { return due }
    // Without a frame before, what is late and what is early is less sure.
    let least = known == nil ? Self.sureStep : min(Self.leastStep, usual / 4 * 3)
    let shortest = known.map { min($0, interval ?? $0) * frames } ?? stamps
    if stamps < min(arrivals, shortest) - least { return due }
    // Late frames that are followed by a prompt one look the same, but for that.
    let isEarlier = delays.least.map { arrival - stamp - offset < $0 - least } ?? false
    let longest = known.map { max($0, interval ?? $0) * frames } ?? arrivals
    return isEarlier && stamps > max(arrivals, longest) + least ? due : nil
  }

  /// Takes out a step, after which the stamp is to read as `due`.
  private mutating func change(to stamp: Int64, due: Int64, _ arrival: Int64) {
    delays = LeastDelay()
    if let former, abs(stamp + former - due) <= Self.leastStep {
      // The stamp before this was wrong, by itself.
      (offset, self.former) = (former, nil)
      return
    }
    steps += 1
    let next = due - stamp
    former = isGuessed ? nil : offset
    let isOursAgain = abs(next) <= (isGuessed ? 2 * usual : 5_000_000)
    // A clock that was behind ours and has caught up is ours now: no driver keeps a frame that long.
    let hasComeUp = offset == 0 && next < 0 && stamp <= arrival
    offset = isOursAgain || hasComeUp ? 0 : next
    if offset == 0 { isGuessed = false }
  }
}

/// How long after their stamps frames arrive at least, of late: what a program that is held up now and then does not change.
private struct LeastDelay {
  private static let frames = 64
  /// Of the frames before `now`, and of the first so many.
  private var before: Int64?
  private var first: Int64?
  private var now: Int64?
  private var count = 0

  /// Nil before the first frame.
  var least: Int64? {
    guard let before, let now else { return now ?? before }
    return min(before, now)
  }

  /// How much longer than at the beginning; nil until that is known.
  var growth: Int64? {
    guard let first, let least else { return nil }
    return least - first
  }

  mutating func note(_ delay: Int64) {
    if count == Self.frames {
      first = first ?? now
      before = now
      now = nil
      count = 0
    }
    now = min(delay, now ?? delay)
    count += 1
  }

  /// The clock reads otherwise from now on; what it was at the beginning stays.
  mutating func move(by change: Int64) {
    before = before.map { $0 + change }
    now = now.map { $0 + change }
  }
}

import System

/// Converts a driver's timestamps to `CLOCK_MONOTONIC`, although the driver's clock may step or drift.
///
/// Three sources tell how much time passed between two frames: their stamps, their arrivals and their numbers. If the program was held up,
/// arrivals are late. If a camera slows down in the dark, its numbers do not match its rate. If a stamp disagrees with both arrivals and
/// numbers, the clock has stepped. The step is counted, and removed from all following frames. All times are in nanoseconds.
///
/// `uvcvideo` made such steps with UVC 1.5 cameras below 32 frames a second ("media: uvcvideo: Fix hw timestamp handling for slow FPS", fixed in the
/// series of Linux commit a0df8d9450df, https://lore.kernel.org/r/20240323-resend-hwtimestamp-v10-1-b08e590d97c7@chromium.org).
struct StampClock {
  /// A frame whose stamp was read.
  private struct Sight {
    var stamp: Int64
    var number: UInt32
    var arrival: Int64
    /// The time of the stamp on our clock.
    var time: Int64
  }

  /// The plausible range of a stamp: thirty-six years, longer than any machine runs.
  private static let bounds = -(Int64(1) << 60)...(Int64(1) << 60)
  /// The frame interval to assume if it is unknown.
  private static let commonInterval: Int64 = 50_000_000
  /// The smallest step that is distinguished from jitter; three quarters of the frame interval if that is less.
  private static let leastStep: Int64 = 25_000_000
  /// The smallest step that is detected if the frame interval is unknown.
  private static let sureStep: Int64 = 250_000_000
  /// The number of frames that may wait in a driver's buffers, which bounds how late a frame may be dequeued.
  private static let framesWaiting: Int64 = 10

  /// The frame interval that the device reports.
  private let interval: Int64?
  /// The frame interval as last measured.
  private var pace: Int64?
  private var began: Int64?
  /// The value that is added to a stamp to convert it to our clock.
  private var offset: Int64 = 0
  /// Whether the first stamp was impossible. Until a stamp is plausible, times come from arrivals, and the driver's stamps only give intervals.
  private(set) var isGuessed = false
  private var last: Sight?
  /// The offset before the latest frame, if that frame made a step; otherwise nil.
  private var former: Int64?
  private var delays = LeastDelay()
  /// The number of times that the clock has stepped. A single wrong stamp counts as one step.
  private(set) var steps = 0

  init(interval: Duration?) {
    self.interval = interval.map(\.nanoseconds).flatMap {
      $0 > 0 && $0 < Self.bounds.upperBound >> 20 ? $0 : nil
    }
  }

  /// The longer of the reported and the measured frame interval.
  private var usual: Int64 { max(interval ?? 0, pace ?? (interval == nil ? Self.commonInterval : 0)) }

  /// Begins a new stream, possibly with another clock. Its first frame was exposed not long before `now`.
  mutating func restart(at now: MonotonicTime?) {
    began = now?.nanoseconds
    last = nil
    former = nil
    pace = nil
    offset = 0
    isGuessed = false
    delays = LeastDelay()
  }

  /// The time at which a frame was stamped, on our clock. It may lie slightly after the arrival, as with some drivers.
  /// - Parameters:
  ///   - number: the number of the previous frame, plus one, plus the number of frames lost in between.
  ///   - guess: the time to assume if the stamp is unusable.
  /// - Returns: nil if the stamp did not advance or is impossible.
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

  /// The time of a frame whose stamp did not advance: the last converted stamp plus
  /// the time between the arrivals. Nil if no stamp was converted yet.
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
    // Limit the drift: a fast clock never gets far ahead of ours, and a slow one lags by no more than frames can wait in buffers.
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

  /// - Returns: the time that should lie between this frame and the previous one if the clock has stepped; otherwise nil.
  private func step(
    _ stamps: Int64, _ arrivals: Int64, frames: Int64, to stamp: Int64, arrival: Int64
  ) -> Int64? {
    // Uses no arrays, because it runs for every frame.
    let seen = pace.flatMap { $0 > 0 && $0 < Self.bounds.upperBound >> 20 ? $0 : nil }
    let known = seen ?? interval
    let usual = known ?? Self.commonInterval
    var due = arrivals
    if let known, abs(arrivals - known * frames) <= usual / 2 { due = known * frames }
    if stamps < 0 { return due }
    // Without a known interval, late and early frames are less certain, so the threshold is larger.
    let least = known == nil ? Self.sureStep : min(Self.leastStep, usual / 4 * 3)
    let shortest = known.map { min($0, interval ?? $0) * frames } ?? stamps
    if stamps < min(arrivals, shortest) - least { return due }
    // A prompt frame after late frames looks like a step, too. But only a step takes the delay clearly below all recent ones.
    let isEarlier = delays.least.map { arrival - stamp - offset < $0 - least } ?? false
    let longest = known.map { max($0, interval ?? $0) * frames } ?? arrivals
    return isEarlier && stamps > max(arrivals, longest) + least ? due : nil
  }

  /// Removes a step: from now on `stamp` is converted to `due`.
  private mutating func change(to stamp: Int64, due: Int64, _ arrival: Int64) {
    delays = LeastDelay()
    if let former, abs(stamp + former - due) <= Self.leastStep {
      // The clock is back at its former offset: only the previous stamp was wrong.
      (offset, self.former) = (former, nil)
      return
    }
    steps += 1
    let next = due - stamp
    former = isGuessed ? nil : offset
    let isOursAgain = abs(next) <= (isGuessed ? 2 * usual : 5_000_000)
    // A clock that steps forwards, but not past the arrival, was behind ours and has caught up. The former stamps were too early: no driver
    // keeps a frame as long as they suggested.
    let hasComeUp = offset == 0 && next < 0 && stamp <= arrival
    offset = isOursAgain || hasComeUp ? 0 : next
    if offset == 0 { isGuessed = false }
  }
}

/// The smallest of the recent delays between a frame's stamp and its arrival. Occasional hold-ups of the program do not change it.
private struct LeastDelay {
  private static let frames = 64
  /// The least delay of the previous block of frames.
  private var before: Int64?
  /// The least delay of the first block of frames.
  private var first: Int64?
  private var now: Int64?
  private var count = 0

  /// The least delay of the current and the previous block; nil before the first frame.
  var least: Int64? {
    guard let before, let now else { return now ?? before }
    return min(before, now)
  }

  /// The growth of the least delay since the first block; nil until that block is complete.
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

  /// Adds `change` to the recent delays after the offset has changed; `first` stays.
  mutating func move(by change: Int64) {
    before = before.map { $0 + change }
    now = now.map { $0 + change }
  }
}

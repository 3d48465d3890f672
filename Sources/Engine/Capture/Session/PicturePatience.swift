import System

/// The time that a stream may go without a picture before it is restarted.
///
/// The first picture of a stream has a deadline of its own, since some cameras need seconds to wake; each later one is due
/// within the stall timeout. See `SessionConfiguration.firstFrameTimeout`.
struct PicturePatience: Sendable {
  /// The number of starts without a picture after which a camera that never had one is given up.
  static let startsForOneThatNeverWorked = 3

  private var limits: (firstFrame: Duration, stall: Duration)
  /// The frame interval of the present format.
  private var interval = Duration.zero
  /// The longest time that this device has needed from the start of a stream to its first picture.
  private var needed: Duration?
  /// The number of consecutive starts without a picture.
  var startsInVain = 0
  /// Whether the stream was restarted because it had stalled.
  private var isRestart = false
  /// The beginning of the stream; nil once it has delivered a picture.
  private var beginning: MonotonicTime?

  /// The time when the next picture is due.
  private(set) var deadline = MonotonicTime.distantFuture
  /// The time that was allowed for the next picture.
  private(set) var allowance: Duration

  init(firstFrame: Duration, stall: Duration) {
    (limits, allowance) = ((firstFrame, stall), stall)
  }

  /// The stall timeout: the configured one, or five frame intervals if that is longer, for slow cameras.
  private var stall: Duration { max(limits.stall, interval * 5) }
  private var firstFrame: Duration { max(limits.firstFrame, stall) }

  mutating func noteInterval(_ interval: Duration) { self.interval = interval }

  /// Sets other limits, which apply from the next picture on.
  mutating func limit(firstFrame: Duration, stall: Duration) { limits = (firstFrame, stall) }

  /// Notes that a stream began, or that its signal is back, and sets the deadline of its first picture.
  mutating func began(at now: MonotonicTime) {
    beginning = now
    allowance = firstAllowance
    deadline = now + allowance
  }

  mutating func pictureCame(at now: MonotonicTime) {
    if let beginning { needed = max(needed ?? .zero, now - beginning) }
    beginning = nil
    isRestart = false
    startsInVain = 0
    allowance = stall
    deadline = now + stall
  }

  /// Notes that no picture came in time.
  mutating func stalled() { if beginning != nil { startsInVain += 1 } }

  /// Notes that the device was closed, or is no longer waited for. The next stream then gets the full time for its first picture, unless
  /// `lost(to:)` reports a stall first.
  mutating func closed() { isRestart = false }

  mutating func lost(to reason: InterruptionReason) {
    isRestart = reason == .streamStalled
    if !isRestart { startsInVain = 0 }
  }

  private var firstAllowance: Duration {
    let known = (needed ?? .zero) * 2
    let whole = min(max(firstFrame, known), firstFrame * 4)
    guard isRestart else { return whole }
    let doublings = 1 << min(startsInVain, 16)
    // A device that has never delivered a picture may need longer than the timeout, so allow up to twice as long.
    guard needed != nil else { return min(whole * doublings, whole * 2) }
    return min(max(stall, known) * doublings, whole)
  }
}

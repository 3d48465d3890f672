import Imagery
import System

/// How long a stream may go without a picture before it is started again.
///
/// The first picture of a stream has a deadline of its own, since some cameras need seconds to wake; later ones follow each
/// other within the stall timeout. See `SessionConfiguration.firstFrameTimeout`.
struct PicturePatience: Sendable {
  /// Starts without a picture after which a camera that never had one is given up.
  static let startsForOneThatNeverWorked = 3

  /// As configured.
  private var limits: (firstFrame: Duration, stall: Duration)
  /// Of the present format.
  private var interval = Duration.zero
  /// The longest that this device needed from the start of a stream to its first picture.
  private var needed: Duration?
  /// Starts in a row that gave no picture.
  var startsInVain = 0
  /// The stream is one that was started again because it had stalled.
  private var isRestart = false
  /// When the stream began; nil once it has given a picture.
  private var beginning: MonotonicTime?

  /// When the next picture is due.
  private(set) var deadline = MonotonicTime.distantFuture
  /// How long is waited for it.
  private(set) var allowance: Duration

  init(firstFrame: Duration, stall: Duration) {
    (limits, allowance) = ((firstFrame, stall), stall)
  }

  /// The frames of a slow camera are further apart than the stall timeout.
  private var stall: Duration { max(limits.stall, interval * 5) }
  private var firstFrame: Duration { max(limits.firstFrame, stall) }

  mutating func noteInterval(_ interval: Duration) { self.interval = interval }

  /// Other limits hold from the next picture on.
  mutating func limit(firstFrame: Duration, stall: Duration) { limits = (firstFrame, stall) }

  /// A stream begins, or its signal is back: its first picture is waited for.
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

  /// None came in time.
  mutating func stalled() { if beginning != nil { startsInVain += 1 } }

  /// The device was closed: what is opened next is a camera that has to wake, unless it was closed for a stall.
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
    // A stream that never had a picture may be slower than any known one.
    guard needed != nil else { return min(whole * doublings, whole * 2) }
    return min(max(stall, known) * doublings, whole)
  }
}

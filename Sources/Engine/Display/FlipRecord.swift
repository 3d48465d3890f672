public import System

/// A picture's appearance on a display, with the kernel's timestamp.
public struct Flip: Hashable, Sendable {
  /// The time when the picture was ready and the kernel was asked to show it.
  public let requestTime: MonotonicTime
  /// The time when the display began to show it: the vblank, to the microsecond. If the kernel handles a vblank late (`vkms` on a busy
  /// machine), it still accepts a picture that became ready after the vblank. `vblankTime` is then slightly before `requestTime`.
  public let vblankTime: MonotonicTime
  /// The number of the vblank; it wraps.
  public let sequence: UInt32

  /// Creates a flip from its two times and the number of its vblank.
  public init(requestTime: MonotonicTime, vblankTime: MonotonicTime, sequence: UInt32) {
    self.requestTime = requestTime
    self.vblankTime = vblankTime
    self.sequence = sequence
  }
}

/// Statistics of a display's flips, of constant size.
public struct FlipRecord: Hashable, Sendable {
  /// The time between two vblanks.
  public let refreshInterval: Duration
  /// The number of shown pictures.
  public private(set) var flips = 0
  /// The number of vblanks between a picture's request and the vblank that showed it, summed over all flips. A flip in time misses none.
  public private(set) var missed = 0
  /// The number of vblanks at which the previous picture was shown again, because no new one was ready.
  public private(set) var repeated = 0
  /// The longest time from a request to its vblank.
  public private(set) var longestWait = Duration.zero
  private var last: Flip?

  /// - Parameter refreshInterval: above zero.
  public init(refreshInterval: Duration) { self.refreshInterval = refreshInterval }

  /// The kernel's stamps are whole microseconds, so a wait of one interval may appear a microsecond longer.
  private static let roundingError = Duration.microseconds(1)

  /// Counts a flip; flips must come in order.
  public mutating func note(_ flip: Flip) {
    flips += 1
    let wait = flip.vblankTime - flip.requestTime
    longestWait = max(longestWait, wait)
    missed += missedVblanks(wait)
    if let last { repeated += max(0, Int(flip.sequence &- last.sequence) - 1) }
    last = flip
  }

  private func missedVblanks(_ wait: Duration) -> Int {
    let late = wait - Self.roundingError
    guard refreshInterval > .zero, late > .zero else { return 0 }
    return Int(late.nanoseconds / refreshInterval.nanoseconds)
  }
}

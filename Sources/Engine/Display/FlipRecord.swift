import Imagery
public import System

/// A picture that a display began to show, as the kernel stamped it.
public struct Flip: Hashable, Sendable {
  /// When the picture was ready and the kernel was asked to show it.
  public let requestTime: MonotonicTime
  /// When the display began to show it: the vblank, to the microsecond. Where the kernel is late for a vblank (`vkms` on a busy machine), it still
  /// takes a picture that became ready after the time that it then stamps, so this may be a little before `requestTime`.
  public let vblankTime: MonotonicTime
  /// The number of that vblank; it wraps.
  public let sequence: UInt32

  /// A flip as it was told.
  public init(requestTime: MonotonicTime, vblankTime: MonotonicTime, sequence: UInt32) {
    self.requestTime = requestTime
    self.vblankTime = vblankTime
    self.sequence = sequence
  }
}

/// The flips of a display, counted. What it keeps does not grow.
public struct FlipRecord: Hashable, Sendable {
  /// From vblank to vblank.
  public let refreshInterval: Duration
  /// Pictures that were shown.
  public private(set) var flips = 0
  /// Vblanks that went by between the moment when a picture was ready and the one that showed it. A flip in time misses none.
  public private(set) var missed = 0
  /// Vblanks at which the picture before was shown once more, because no other was ready.
  public private(set) var repeated = 0
  /// The longest that a ready picture waited for its vblank.
  public private(set) var longestWait = Duration.zero
  private var last: Flip?

  /// - Parameter refreshInterval: above zero.
  public init(refreshInterval: Duration) { self.refreshInterval = refreshInterval }

  /// The kernel's stamps are whole microseconds, so a wait of one interval may read as a microsecond more.
  private static let roundingError = Duration.microseconds(1)

  /// Counts a flip; they come in order.
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

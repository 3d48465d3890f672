import Glibc
import HTTPService

/// How many messages a client may send: what is more waits in its own connection. A page sends fewer than a hundred a second.
struct MessagePace {
  static let (perSecond, burst) = (400.0, 400.0)
  private var left = MessagePace.burst
  private var last: Double?

  /// - Returns: seconds that the message is to wait.
  mutating func delay(at time: Double) -> Double {
    left = min(Self.burst, left + (time - (last ?? time)) * Self.perSecond) - 1
    last = time
    return max(0, -left / Self.perSecond)
  }

  /// Holds up this client's thread, and with it nobody else.
  mutating func wait() {
    let seconds = delay(at: monotonicSeconds())
    if seconds > 0 { usleep(UInt32(min(seconds, 1) * 1e6)) }
  }
}

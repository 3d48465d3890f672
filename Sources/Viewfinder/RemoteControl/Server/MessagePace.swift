import Glibc
import HTTPService

/// Limits the rate of a client's messages. Messages beyond the rate wait in the client's connection. A page sends fewer than a hundred per
/// second.
struct MessagePace {
  static let (perSecond, burst) = (400.0, 400.0)
  private var left = MessagePace.burst
  private var last: Double?

  /// - Returns: the seconds that the message must wait.
  mutating func delay(at time: Double) -> Double {
    left = min(Self.burst, left + (time - (last ?? time)) * Self.perSecond) - 1
    last = time
    return max(0, -left / Self.perSecond)
  }

  /// Blocks this client's thread if necessary, but no other client.
  mutating func wait() {
    let seconds = delay(at: monotonicSeconds())
    if seconds > 0 { usleep(UInt32(min(seconds, 1) * 1e6)) }
  }
}

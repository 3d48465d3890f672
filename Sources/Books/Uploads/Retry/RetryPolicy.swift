public import FoundationEssentials

/// The delays between tries, and the number of tries. By default retries follow after 1, 2 and 4 s. After that, a failed scan is given up; in an
/// outage, the backend is checked every 15 s until it is back.
public struct RetryPolicy: Sendable, Equatable {
  /// The delays in seconds before the first, second, … retry.
  public var delays: [TimeInterval]
  /// The maximum pause in seconds that a server can request by `Retry-After`.
  public var longestPause: TimeInterval
  /// The pause in seconds after a 429 without a usable `Retry-After`.
  public var defaultPause: TimeInterval
  /// The interval in seconds between the checks that follow the listed delays in an outage.
  public var offlineInterval: TimeInterval

  /// Creates a policy. By default it has three retries, a maximum pause of an hour, a pause of 30 s after a 429 without a usable `Retry-After`, and a
  /// check every 15 s in an outage.
  public init(
    delays: [TimeInterval] = [1, 2, 4], longestPause: TimeInterval = 3600, defaultPause: TimeInterval = 30,
    offlineInterval: TimeInterval = 15
  ) {
    self.delays = delays
    self.longestPause = longestPause
    self.defaultPause = defaultPause
    self.offlineInterval = offlineInterval
  }

  /// The delay in seconds before the next try after `failures` failed tries (at least 1). Nil if no further try is allowed.
  public func delay(afterFailures failures: Int) -> TimeInterval? {
    delays.indices.contains(failures - 1) ? delays[failures - 1] : nil
  }

  /// The delay in seconds before the next check in an outage after `failures` failed checks (at least 1).
  public func outageDelay(afterFailures failures: Int) -> TimeInterval {
    delay(afterFailures: failures) ?? offlineInterval
  }

  /// The delay in seconds before a try that costs the backend work each time. After the listed delays it begins with `offlineInterval`, and doubles
  /// with each failure up to `longestPause`.
  public func growingDelay(afterFailures failures: Int) -> TimeInterval {
    let doublings = min(max(failures - delays.count - 1, 0), 32)
    return delay(afterFailures: failures) ?? min(offlineInterval * Double(1 << doublings), longestPause)
  }

  /// The longest possible wait in seconds. If a stored time is further ahead, the clock has been set since.
  var longestWait: TimeInterval {
    ([longestPause, defaultPause, offlineInterval] + delays).max() ?? longestPause
  }

  /// The pause in seconds after a 429 with this `Retry-After`, 1 to `longestPause`.
  public func pause(retryAfter: String?, now: Date) -> TimeInterval {
    let asked = retryAfter.flatMap { RetryAfter.seconds($0, now: now) }.map(TimeInterval.init)
    return min(max(asked ?? defaultPause, 1), longestPause)
  }
}

public import FoundationEssentials

/// When to try again, and when to stop: after 1, 2, 4 s by default; what fails a scan no more then, an outage for as long as it lasts.
public struct RetryPolicy: Sendable, Equatable {
  /// Seconds before the first, second, … retry.
  public var delays: [TimeInterval]
  /// A server may ask for a longer pause by `Retry-After`; never longer than this, in seconds.
  public var longestPause: TimeInterval
  /// Seconds to pause after a 429 that says nothing usable.
  public var defaultPause: TimeInterval
  /// Seconds between later looks at whether the backend is back.
  public var offlineInterval: TimeInterval

  /// By default three retries, an hour's longest pause, 30 s after a 429 without a time, and a look every 15 s in an outage.
  public init(
    delays: [TimeInterval] = [1, 2, 4], longestPause: TimeInterval = 3600, defaultPause: TimeInterval = 30,
    offlineInterval: TimeInterval = 15
  ) {
    self.delays = delays
    self.longestPause = longestPause
    self.defaultPause = defaultPause
    self.offlineInterval = offlineInterval
  }

  /// Seconds before the next try once `failures` tries (at least 1) have failed; `nil` when there is to be none.
  public func delay(afterFailures failures: Int) -> TimeInterval? {
    delays.indices.contains(failures - 1) ? delays[failures - 1] : nil
  }

  /// Seconds before the next look at a backend in an outage once `failures` looks (at least 1) were in vain.
  public func outageDelay(afterFailures failures: Int) -> TimeInterval {
    delay(afterFailures: failures) ?? offlineInterval
  }

  /// The same for what costs the backend work each time: twice as long every time in the end, `longestPause` at most.
  public func growingDelay(afterFailures failures: Int) -> TimeInterval {
    let doublings = min(max(failures - delays.count - 1, 0), 32)
    return delay(afterFailures: failures) ?? min(offlineInterval * Double(1 << doublings), longestPause)
  }

  /// Nothing waits longer than this, in seconds. A time that was written down and is further away is of a clock that was set since.
  var longestWait: TimeInterval {
    ([longestPause, defaultPause, offlineInterval] + delays).max() ?? longestPause
  }

  /// How long to send nothing after a 429 with this `Retry-After`, in seconds, 1 to `longestPause`.
  public func pause(retryAfter: String?, now: Date) -> TimeInterval {
    let asked = retryAfter.flatMap { RetryAfter.seconds($0, now: now) }.map(TimeInterval.init)
    return min(max(asked ?? defaultPause, 1), longestPause)
  }
}

public import FoundationEssentials

/// The time, and waiting for it; another one in tests.
public protocol DeliveryClock: Sendable {
  /// The present time.
  var now: Date { get }
  /// - Throws: `CancellationError` at once when the task is cancelled.
  func sleep(until date: Date) async throws
}

/// The system's clock: what everything uses unless you say otherwise.
public struct WallClock: DeliveryClock {
  /// There is but one of it.
  public init() {}
  /// The system's time.
  public var now: Date { Date() }

  public func sleep(until date: Date) async throws {
    try await Task.sleep(for: .seconds(min(max(date.timeIntervalSinceNow, 0), 86_400)))
  }
}

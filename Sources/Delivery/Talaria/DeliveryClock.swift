public import FoundationEssentials

/// The time, and waiting for it; another one in tests.
public protocol DeliveryClock: Sendable {
  var now: Date { get }
  /// - Throws: `CancellationError` at once when the task is cancelled.
  func sleep(until date: Date) async throws
}

public struct WallClock: DeliveryClock {
  public init() {}
  public var now: Date { Date() }

  public func sleep(until date: Date) async throws {
    try await Task.sleep(for: .seconds(min(max(date.timeIntervalSinceNow, 0), 86_400)))
  }
}

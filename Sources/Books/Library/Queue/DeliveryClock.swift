import Bibliography
public import FoundationEssentials
import Glibc
import System

/// The two clocks of a delivery. Tests use their own implementation.
///
/// The wall clock, which people and networks set, dates events. The monotonic clock, which nobody sets, measures durations and waits.
public protocol DeliveryClock: Sendable {
  /// The present time of the wall clock. No wait depends on it.
  var now: Date { get }
  /// Seconds since the machine was started, including suspended time. This clock is never set.
  var uptime: TimeInterval { get }
  /// The identifier of the machine start from which `uptime` counts. It differs after every start.
  var boot: String { get }
  /// Waits for a number of seconds.
  /// - Throws: `CancellationError`, at once when the task is cancelled.
  func sleep(for seconds: TimeInterval) async throws
}

/// The system's clocks, the default of everything that takes a clock.
public struct WallClock: DeliveryClock {
  /// Creates the clock. All instances are alike.
  public init() {}
  /// The system's time.
  public var now: Date { Date() }

  /// The seconds of `CLOCK_BOOTTIME`.
  public var uptime: TimeInterval { KernelClock.seconds(CLOCK_BOOTTIME) }

  /// The content of `/proc/sys/kernel/random/boot_id` (random(4)).
  public var boot: String { Self.thisBoot }

  private static let thisBoot: String = {
    let bytes = OwnedDescriptor("/proc/sys/kernel/random/boot_id", O_RDONLY)?.read(limit: 64) ?? []
    return CleanText.line(String(decoding: bytes, as: UTF8.self))
  }()

  public func sleep(for seconds: TimeInterval) async throws {
    try await Task.sleep(for: .seconds(min(max(seconds, 0), 86_400)))
  }
}

import Bibliography
public import FoundationEssentials
import Glibc
import System

/// The time, and waiting for it; another one in tests.
///
/// There are two: the wall clock, which people and networks set, says when something was; how long something takes or is waited for is told
/// by a clock that nobody sets.
public protocol DeliveryClock: Sendable {
  /// The present by the wall clock. Nothing waits by it.
  var now: Date { get }
  /// Seconds since the machine was started, those it slept included. It is never set.
  var uptime: TimeInterval { get }
  /// Which start of the machine `uptime` counts from: another text after another start.
  var boot: String { get }
  /// - Throws: `CancellationError` at once when the task is cancelled.
  func sleep(for seconds: TimeInterval) async throws
}

/// The system's clocks: what everything uses unless you say otherwise.
public struct WallClock: DeliveryClock {
  /// There is but one of it.
  public init() {}
  /// The system's time.
  public var now: Date { Date() }

  /// `CLOCK_BOOTTIME`.
  public var uptime: TimeInterval { KernelClock.seconds(CLOCK_BOOTTIME) }

  /// `/proc/sys/kernel/random/boot_id` (random(4)).
  public var boot: String { Self.thisBoot }

  private static let thisBoot: String = {
    let bytes = OwnedDescriptor("/proc/sys/kernel/random/boot_id", O_RDONLY)?.read(limit: 64) ?? []
    return CleanText.line(String(decoding: bytes, as: UTF8.self))
  }()

  public func sleep(for seconds: TimeInterval) async throws {
    try await Task.sleep(for: .seconds(min(max(seconds, 0), 86_400)))
  }
}

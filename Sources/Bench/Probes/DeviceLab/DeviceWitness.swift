import Glibc
import Imagery
package import System

/// Another client of a device that only waits for the kernel's hang-up, so that detection is compared with the kernel instead of with the engine's
/// own claim. While it holds the node, the node's number is not reused.
package final class DeviceWitness: Sendable {
  private enum Word {
    case waiting
    case gone(MonotonicTime)
    case nothing
  }

  private let descriptor: Int32
  private let word = Locked(Word.waiting)

  /// - Parameter limit: how long to listen.
  package init(node: String, limit: Duration = .seconds(15)) throws {
    descriptor = open(node, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw LaunchError(node, errno, remedy: "check that it is plugged in and that you may open it")
    }
    let deadline = MonotonicTime.now() + limit
    try NamedThread.start(name: "witness") { [self] in
      let heard = listen(until: deadline)
      word.withLock { $0 = heard.map { .gone($0) } ?? .nothing }
    }
  }

  deinit { close(descriptor) }

  /// Returns the time when the device hung up. Nil if it did not within the limit.
  package func hangup() async -> MonotonicTime? {
    while true {
      switch word.withLock({ $0 }) {
      case .gone(let time): return time
      case .nothing: return nil
      case .waiting: try? await Task.sleep(for: .milliseconds(2))
      }
    }
  }

  /// Polls for events only, not for pictures, because a client that does not stream would get an error at once.
  private func listen(until deadline: MonotonicTime) -> MonotonicTime? {
    while case let left = deadline - .now(), left > .zero {
      var entry = pollfd(fd: descriptor, events: Int16(POLLPRI), revents: 0)
      let count = poll(&entry, 1, Int32(left.milliseconds) + 1)
      if count > 0, Int32(entry.revents) & POLLHUP != 0 { return .now() }
      if count > 0 { return nil }
    }
    return nil
  }
}

/// The time at which the kernel created a device node.
package enum NodeBirth {
  /// - Returns: the time on `CLOCK_MONOTONIC`, with the resolution of the kernel's tick (4 ms or finer) and never too late; nil if there is no such
  ///   node.
  package static func time(of node: String) -> MonotonicTime? {
    var status = stat()
    guard stat(node, &status) == 0 else { return nil }
    var wall = timespec()
    clock_gettime(CLOCK_REALTIME, &wall)
    let age = nanoseconds(wall) - nanoseconds(status.st_mtim)
    return MonotonicTime(nanoseconds: MonotonicTime.now().nanoseconds - age)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

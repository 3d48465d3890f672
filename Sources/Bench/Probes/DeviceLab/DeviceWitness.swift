import Glibc
import Imagery
package import System

/// Another client of a device, which does nothing but hear when the kernel says that it is gone: detection is held
/// against this and not against the engine's own word. As long as it holds the node, its number is not given again.
package final class DeviceWitness: Sendable {
  private enum Word {
    case waiting
    case gone(MonotonicTime)
    case nothing
  }

  private let descriptor: Int32
  private let word = Locked(Word.waiting)

  /// - Parameter limit: how long it listens.
  package init(node: String, limit: Duration = .seconds(15)) throws {
    descriptor = open(node, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw LaunchError(node, errno, remedy: nil) }
    let deadline = MonotonicTime.now() + limit
    try NamedThread.start(name: "witness") { [self] in
      let heard = listen(until: deadline)
      word.withLock { $0 = heard.map { .gone($0) } ?? .nothing }
    }
  }

  deinit { close(descriptor) }

  /// When the device hung up; nil when it did not within the limit.
  package func hangup() async -> MonotonicTime? {
    while true {
      switch word.withLock({ $0 }) {
      case .gone(let time): return time
      case .nothing: return nil
      case .waiting: try? await Task.sleep(for: .milliseconds(2))
      }
    }
  }

  /// Only for events, not for pictures: a client that does not stream would be told of an error at once.
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

/// When the kernel made a device node.
package enum NodeBirth {
  /// - Returns: on `CLOCK_MONOTONIC`, to the kernel's tick (4 ms or finer) and never late; nil when there is no such node.
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

import CLinux
import Glibc

/// The scheduling priority of a thread. The two real-time priorities (`SCHED_FIFO`) are for threads that do a bounded amount of work per frame
/// and then wait. If the process may not use them (no `CAP_SYS_NICE`, no `RLIMIT_RTPRIO`), the threads are ordinary ones.
package enum ThreadPriority: Int32, Sendable {
  case ordinary = 0
  /// For putting a picture on the surface.
  case preview = 5
  /// For taking frames from the driver.
  case capture = 10
}

/// A thread with a name, whose end can be waited for. All threads of this package are started by this type.
package final class NamedThread: Sendable {
  private let thread: pthread_t

  /// - Parameters:
  ///   - name: the thread's name, as debuggers show it, cut to 15 bytes (Linux `TASK_COMM_LEN`).
  ///   - priority: the scheduling priority to request. Without the permission for it, the thread runs at the ordinary priority.
  /// - Throws: an error if the process may not start another thread; `body` is then never called.
  package init(
    name: String, priority: ThreadPriority = .ordinary, _ body: @escaping @Sendable () -> Void
  ) throws(ResourceShortage) {
    var created = pthread_t()
    let box = Unmanaged.passRetained(Body(name: name, priority: priority, run: body))
    let status = pthread_create(
      &created, nil,
      { argument in
        Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().begin()
        return nil
      }, box.toOpaque())
    guard status == 0 else {
      box.release()
      throw ResourceShortage(.thread, errno: status)
    }
    thread = created
  }

  /// Waits for the end of the thread. Call this exactly once: the system keeps a thread until it is joined.
  package func join() { pthread_join(thread, nil) }

  /// Runs `body` on a detached thread.
  /// - Throws: an error if the process may not start another thread; `body` is then never called.
  package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(ResourceShortage) {
    pthread_detach(try NamedThread(name: name, body).thread)
  }

  /// Runs `body` on a detached thread, or at once on this thread if none can be started.
  package static func detached(name: String, _ body: @escaping @Sendable () -> Void) {
    do throws(ResourceShortage) { try start(name: name, body) } catch { body() }
  }

  /// Runs `body` on a separate thread, and waits for its end without blocking other tasks. For work that may block, such as waiting for the end
  /// of another thread.
  package static func aside(name: String, _ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      detached(name: name) {
        body()
        continuation.resume()
      }
    }
  }

  private final class Body: Sendable {
    let name: String
    let priority: ThreadPriority
    let run: @Sendable () -> Void

    init(name: String, priority: ThreadPriority, run: @escaping @Sendable () -> Void) {
      self.name = name
      self.priority = priority
      self.run = run
    }

    /// The thread names itself, so that it has its name before it does anything.
    func begin() {
      linux_name_thread(pthread_self(), name)
      if priority != .ordinary {
        var parameters = sched_param(sched_priority: priority.rawValue)
        pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
      }
      run()
    }
  }
}

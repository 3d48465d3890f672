import CLinux
import Glibc

/// How soon a thread runs once it can. The two real-time ones (`SCHED_FIFO`) do a bounded piece of work a frame and then
/// wait; where the process may not have them (no `CAP_SYS_NICE`, no `RLIMIT_RTPRIO`) they are ordinary threads.
package enum ThreadPriority: Int32, Sendable {
  case ordinary = 0
  /// Puts a picture on the surface.
  case preview = 5
  /// Takes frames from the driver.
  case capture = 10
}

/// A thread with a name and an end that can be waited for. Every thread that we start is one of these.
package final class NamedThread: Sendable {
  private let thread: pthread_t

  /// - Parameters:
  ///   - name: at most 15 bytes are kept (Linux `TASK_COMM_LEN`).
  ///   - priority: where the process may have it.
  /// - Throws: when the process may not start another; `body` is then never called.
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

  /// Waits for its end. Exactly once: the system keeps a thread until somebody has.
  package func join() { pthread_join(thread, nil) }

  /// Runs `body` on a thread that nobody waits for.
  /// - Throws: when the process may not start another; `body` is then never called.
  package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(ResourceShortage) {
    pthread_detach(try NamedThread(name: name, body).thread)
  }

  /// The same; here and now where there is no thread to be had.
  package static func detached(name: String, _ body: @escaping @Sendable () -> Void) {
    do throws(ResourceShortage) { try start(name: name, body) } catch { body() }
  }

  /// Runs `body` on a thread of its own, and waits for its end without holding up any other task: for what may block, such as
  /// the end of another thread.
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

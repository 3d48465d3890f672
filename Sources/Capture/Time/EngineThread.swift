import CLinux
import Glibc

/// A thread of the engine's own, with a name and an end that can be waited for.
final class EngineThread: Sendable {
  private let thread: pthread_t

  /// - Parameters:
  ///   - name: at most 15 bytes are kept (Linux `TASK_COMM_LEN`).
  ///   - isRealTime: asks for `SCHED_FIFO`; where the process may not have it, the thread is an ordinary one.
  init(name: String, isRealTime: Bool = false, _ body: @escaping @Sendable () -> Void) {
    var created = pthread_t()
    let box = Unmanaged.passRetained(Body(run: body))
    let status = pthread_create(
      &created, nil,
      { argument in
        Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    precondition(status == 0, "the process may not start another thread")
    linux_name_thread(created, name)
    if isRealTime {
      var parameters = sched_param(sched_priority: 10)
      pthread_setschedparam(created, SCHED_FIFO, &parameters)
    }
    thread = created
  }

  func join() { pthread_join(thread, nil) }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}

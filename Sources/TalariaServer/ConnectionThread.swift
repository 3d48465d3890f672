import Glibc

/// A detached thread for one connection.
enum ConnectionThread {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// - Returns: false when the process may not have another thread; `body` is let go of then.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      {
        Unmanaged<Work>.fromOpaque($0!).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    if code != 0 { work.release() }
    return code == 0
  }
}

import Log

/// The owner of one descriptor: closes it exactly once, when the last holder lets go.
///
/// Whoever is inside a call holds a reference, so that a descriptor is never closed, and its number never reused,
/// under a system call in flight.
final class OpenFile: Sendable {
  let descriptor: Int32
  let kernel: any Kernel

  init(_ descriptor: Int32, kernel: any Kernel) {
    self.descriptor = descriptor
    self.kernel = kernel
  }

  deinit { kernel.close(descriptor) }

  /// One ioctl on `value`, repeated while a signal interrupts it.
  func control<Argument>(_ request: Request, _ value: inout Argument) throws(Errno) {
    let began = Log.v4l2.began(request.level)
    let outcome = withUnsafeMutablePointer(to: &value) { argument -> Errno? in
      while true {
        do throws(Errno) {
          try kernel.control(descriptor, request, argument: argument)
          return nil
        } catch {
          if error != .interrupted { return error }
        }
      }
    }
    if began != 0 {
      Log.v4l2.event(
        request.rawValue, request.level, began: began, outcome.map { LogFact("errno", $0.rawValue) })
    }
    if let outcome { throw outcome }
  }
}

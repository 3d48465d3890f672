import Log

/// The owner of one descriptor: closes it exactly once, when the last reference is released.
///
/// Every running call holds a reference, so a descriptor is never closed, and its number never reused,
/// during a system call.
final class OpenFile: Sendable {
  let descriptor: Int32
  let kernel: any Kernel

  init(_ descriptor: Int32, kernel: any Kernel) {
    self.descriptor = descriptor
    self.kernel = kernel
  }

  deinit { kernel.close(descriptor) }

  /// Performs one ioctl on `value`, and repeats it if a signal interrupts it.
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

import CVideo4Linux
import Glibc
public import System

/// The real kernel. Stateless: every call is one system call.
public struct LinuxKernel: Kernel {
  /// Creates a kernel. All instances behave the same.
  public init() {}

  /// `open(2)` with `O_RDWR`, `O_NONBLOCK` and `O_CLOEXEC`.
  public func open(_ path: String) throws(Errno) -> Int32 { try Errno.check(cv4l2_open(path)) }

  /// `close(2)`, once.
  public func close(_ descriptor: Int32) {
    // Never repeated: Linux frees the descriptor even if close(2) returns EINTR.
    _ = Glibc.close(descriptor)
  }

  /// `ioctl(2)`.
  public func control(
    _ descriptor: Int32, _ request: Request, argument: UnsafeMutableRawPointer
  ) throws(Errno) {
    try Errno.check(cv4l2_ioctl(descriptor, request.number, argument))
  }

  /// `mmap(2)`.
  public func map(
    _ descriptor: Int32, length: Int, offset: Int64
  ) throws(Errno) -> UnsafeMutableRawPointer {
    let base = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(offset))
    guard let base, base != MAP_FAILED else { throw Errno(rawValue: errno) }
    return base
  }

  /// `munmap(2)`.
  public func unmap(_ base: UnsafeMutableRawPointer, length: Int) { _ = munmap(base, length) }

  /// `ppoll(2)`.
  public func poll(
    _ descriptor: Int32, events: Int16, wake: WakeSignal?, timeout: Int64?
  ) throws(Errno) -> PollResult {
    var result = PollResult(events: 0, wake: 0)
    try Errno.check(
      cv4l2_poll(
        descriptor, events, wake?.descriptor ?? -1, max(timeout ?? -1, -1), &result.events, &result.wake))
    return result
  }

  /// Opens a socket of the netlink group of uevents.
  public func openDeviceEvents() throws(Errno) -> Int32 { try Errno.check(cv4l2_uevent_socket()) }

  /// Calls `recvfrom(2)`; netlink port 0 is the kernel.
  public func receive(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Datagram {
    var isFromKernel: Int32 = 0
    let length = cv4l2_uevent_receive(descriptor, buffer.baseAddress, buffer.count, &isFromKernel)
    guard length >= 0 else { throw Errno(rawValue: Int32(-length)) }
    return Datagram(length: Int(length), isFromKernel: isFromKernel != 0)
  }

  /// The time of `CLOCK_MONOTONIC` from `clock_gettime(2)`, in nanoseconds.
  public func now() -> Int64 { KernelClock.nanoseconds(CLOCK_MONOTONIC) }
}

public import System

/// All system calls of this module: `LinuxKernel` performs them, and tests use a scripted kernel.
///
/// Descriptors are plain numbers here; `OpenFile` is the only type that owns one.
public protocol Kernel: Sendable {
  /// Opens a device node for reading and writing, non-blocking, closed on exec.
  func open(_ path: String) throws(Errno) -> Int32
  /// Closes a descriptor. Reports no failure, and is never repeated.
  func close(_ descriptor: Int32)
  /// Performs one `ioctl(2)`; `argument` points to the structure of `request`.
  func control(_ descriptor: Int32, _ request: Request, argument: UnsafeMutableRawPointer) throws(Errno)

  /// Maps `length` bytes of a device buffer, shared, for reading and writing.
  func map(_ descriptor: Int32, length: Int, offset: Int64) throws(Errno) -> UnsafeMutableRawPointer
  /// Ends a mapping; its memory must not be used any more.
  func unmap(_ base: UnsafeMutableRawPointer, length: Int)

  /// Waits for `events` (the `poll(2)` mask) on `descriptor`, or for `wake`, which stays raised.
  /// - Parameter timeout: in nanoseconds; nil waits for ever.
  /// - Returns: both result masks; both empty after a time-out.
  func poll(_ descriptor: Int32, events: Int16, wake: WakeSignal?, timeout: Int64?) throws(Errno)
    -> PollResult

  /// Opens a netlink socket that receives the kernel's device events, non-blocking, closed on exec.
  func openDeviceEvents() throws(Errno) -> Int32
  /// Takes one datagram; throws `.tryAgain` if there is none.
  func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Datagram

  /// The time of `CLOCK_MONOTONIC` in nanoseconds.
  func now() -> Int64

  /// The names in a folder, in any order; at most `limit`.
  func names(in folder: String, limit: Int) throws(Errno) -> [String]
  /// The first `limit` bytes of a file.
  func contents(of path: String, limit: Int) throws(Errno) -> [UInt8]
  /// The path with every symbolic link followed (`realpath(3)`).
  func resolve(_ path: String) throws(Errno) -> String
}

/// The `poll(2)` result masks of a device and of the wake signal.
public struct PollResult: Hashable, Sendable {
  /// The mask of the device.
  public var events: Int16
  /// The mask of the wake signal.
  public var wake: Int16

  /// - Parameters: masks of `poll(2)`, 0 for no event.
  public init(events: Int16, wake: Int16) {
    self.events = events
    self.wake = wake
  }
}

/// A datagram taken from a socket.
public struct Datagram: Hashable, Sendable {
  /// The full length in bytes; larger than the buffer if the datagram was cut.
  public var length: Int
  /// Whether the kernel sent it; false for another process.
  public var isFromKernel: Bool

  /// Creates a datagram.
  public init(length: Int, isFromKernel: Bool) {
    self.length = length
    self.isFromKernel = isFromKernel
  }
}

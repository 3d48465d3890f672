public import System

/// What this room asks of the operating system, and nothing else: `LinuxKernel` in earnest, a scripted one in tests.
///
/// Descriptors are plain numbers here; `OpenFile` is the only type that owns one.
public protocol Kernel: Sendable {
  /// Opens a device node for reading and writing, non-blocking, closed on exec.
  func open(_ path: String) throws(Errno) -> Int32
  /// Closes a descriptor. Never fails for the caller, and is never repeated.
  func close(_ descriptor: Int32)
  /// One `ioctl(2)`; `argument` points to the structure `request` takes.
  func control(_ descriptor: Int32, _ request: Request, argument: UnsafeMutableRawPointer) throws(Errno)

  /// Maps `length` bytes of a device buffer, shared, for reading and writing.
  func map(_ descriptor: Int32, length: Int, offset: Int64) throws(Errno) -> UnsafeMutableRawPointer
  /// Ends a mapping; nobody may use its memory any more.
  func unmap(_ base: UnsafeMutableRawPointer, length: Int)

  /// Waits for `events` (the `poll(2)` mask) on `descriptor`, or for `wake`, which stays raised.
  /// - Parameter timeout: in nanoseconds; nil waits for ever.
  /// - Returns: both result masks; both empty after a time-out.
  func poll(_ descriptor: Int32, events: Int16, wake: WakeSignal?, timeout: Int64?) throws(Errno)
    -> PollResult

  /// A netlink socket that receives the kernel's device events, non-blocking, closed on exec.
  func openDeviceEvents() throws(Errno) -> Int32
  /// Takes one datagram; throws `.tryAgain` when there is none.
  func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Datagram

  /// `CLOCK_MONOTONIC`, nanoseconds.
  func now() -> Int64

  /// The names in a folder, in no order; at most `limit`.
  func names(in folder: String, limit: Int) throws(Errno) -> [String]
  /// The first `limit` bytes of a file.
  func contents(of path: String, limit: Int) throws(Errno) -> [UInt8]
  /// The path with every symbolic link followed (`realpath(3)`).
  func resolve(_ path: String) throws(Errno) -> String
}

/// The `poll(2)` result masks of a device and of the wake-up beside it.
public struct PollResult: Hashable, Sendable {
  /// Of the device.
  public var events: Int16
  /// Of the wake-up.
  public var wake: Int16

  /// - Parameters: masks of `poll(2)`, 0 where nothing happened.
  public init(events: Int16, wake: Int16) {
    self.events = events
    self.wake = wake
  }
}

/// A datagram taken from a socket.
public struct Datagram: Hashable, Sendable {
  /// Its full length in bytes; more than the buffer held if it was cut.
  public var length: Int
  /// False when another process sent it.
  public var isFromKernel: Bool

  /// A datagram as it came.
  public init(length: Int, isFromKernel: Bool) {
    self.length = length
    self.isFromKernel = isFromKernel
  }
}

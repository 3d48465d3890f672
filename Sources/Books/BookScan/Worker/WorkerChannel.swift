import CLinux
import Glibc
import System

/// The socket between a worker and the process that started it. A frame is four bytes of kind and eight of length, both least
/// significant byte first, then the content. While waiting for the socket, the channel reads the worker's standard error, so that
/// the worker never blocks on it, and keeps its last bytes.
struct WorkerChannel {
  enum Kind: UInt32 {
    case settings = 1
    case request, picture, hello, answer
  }

  enum Failure: Error, Equatable {
    /// The other end is closed.
    case closed
    case late
    /// The other side sent something other than the expected frame.
    case garbled
  }

  /// The largest photo file, bytes.
  static let pictureLimit = 256 << 20
  /// The most bytes of any other content.
  static let recordLimit = 32 << 20
  private static let header = 12
  private static let complaintLimit = 4096

  let descriptor: Int32
  /// Standard error of the other side; -1 for none.
  private var complaining: Int32
  private(set) var complaints: [UInt8] = []

  init(_ descriptor: Int32, complaining: Int32 = -1) {
    (self.descriptor, self.complaining) = (descriptor, complaining)
  }

  mutating func send(_ kind: Kind, _ content: [UInt8], by deadline: MonotonicTime? = nil) throws(Failure) {
    let head =
      Self.bytes(UInt64(kind.rawValue)).prefix(4) + Self.bytes(UInt64(content.count))
    try send(Array(head), deadline)
    try send(content, deadline)
  }

  mutating func receive(
    _ kind: Kind, limit: Int = recordLimit, by deadline: MonotonicTime? = nil
  ) throws(Failure) -> [UInt8] {
    let head = try receive(Self.header, deadline)
    let length = Self.number(head[4...])
    guard Self.number(head[..<4]) == UInt64(kind.rawValue), length <= UInt64(limit) else { throw .garbled }
    return try receive(Int(length), deadline)
  }

  /// Whether the other end has closed the socket, or has sent something that was not requested.
  var isDisturbed: Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) != 0
  }

  /// Reads what the other side has written to standard error so far.
  mutating func hear() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while complaining >= 0 {
      let count = read(complaining, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      if count == 0 { complaining = -1 }
      guard count > 0 else { return }
      complaints = Array((complaints + buffer[..<count]).suffix(Self.complaintLimit))
    }
  }

  private mutating func send(_ bytes: [UInt8], _ deadline: MonotonicTime?) throws(Failure) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { linux_send(descriptor, $0.baseAddress! + sent, bytes.count - sent) }
      if count > 0 { sent += Int(count) } else { try pause(for: POLLOUT, deadline) }
    }
  }

  private mutating func receive(_ count: Int, _ deadline: MonotonicTime?) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var got = 0
    while got < count {
      let more = bytes.withUnsafeMutableBytes {
        linux_receive(descriptor, $0.baseAddress! + got, count - got)
      }
      if more == 0 { throw .closed }
      if more > 0 { got += Int(more) } else { try pause(for: POLLIN, deadline) }
    }
    return bytes
  }

  /// Waits until the socket is ready, after a call that failed with the error in `errno`.
  private mutating func pause(for events: Int32, _ deadline: MonotonicTime?) throws(Failure) {
    guard [EAGAIN, EINTR].contains(errno) else { throw .closed }
    while true {
      let left = deadline.map { ($0 - .now()).milliseconds }
      if let left, left <= 0 { throw .late }
      var waiting = [
        pollfd(fd: descriptor, events: Int16(events), revents: 0),
        pollfd(fd: complaining, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&waiting, 2, left.map { Int32(min($0.rounded(.up), 1e9)) } ?? -1)
      guard ready > 0 else { continue }
      if waiting[1].revents != 0 { hear() }
      if waiting[0].revents != 0 { return }
    }
  }

  private static func bytes(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

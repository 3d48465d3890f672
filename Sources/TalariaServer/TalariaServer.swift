public import Foundation
import Glibc
import Locking

/// A complete Talaria backend in one process, by itself useful and on demand faulty.
///
/// It speaks HTTP/1.1 with a thread a connection, so that a fault can be exactly what it says: a reset, half an event, a
/// reader that reads slowly.
public final class TalariaServer: Sendable {
  /// Finds the books in what has been uploaded.
  public typealias Recognizer = @Sendable (Upload) async throws -> [FoundBook]

  /// Is told of every request before it is answered, on the thread of its connection.
  public typealias Witness = @Sendable (SeenRequest) -> Void

  /// Thrown by a recogniser that will never read the upload: the client is told not to send it again.
  public struct Unreadable: Error {
    public init() {}
  }

  public struct Statistics: Sendable, Equatable {
    public var connections = 0
    public var uploads = 0
    public var streams = 0
    public var cleanups = 0
    /// Distinct jobs: one an idempotency key.
    public var jobs = 0
    public var openJobs = 0
  }

  public let port: UInt16
  public let faults: FaultScript
  /// Such as `http://127.0.0.1:8080`.
  public var url: String { "\(certificate == nil ? "http" : "https")://127.0.0.1:\(port)" }

  let certificate: ServerCertificate?
  let recognizer: Recognizer
  let heartbeat: TimeInterval
  let witness: Witness?
  let jobs = Jobs()
  let tally = Locked(Statistics())
  private let accepting: AcceptLoop
  private let channels = Locked<[ObjectIdentifier: Channel]>([:])

  public struct Failure: Error, CustomStringConvertible {
    public let port: UInt16
    /// The system's.
    public let reason: String
    public var description: String { "Cannot serve on port \(port): \(reason); choose another port." }
  }

  /// Serves on 127.0.0.1 at once.
  /// - Parameters:
  ///   - port: 0 for any that is free.
  ///   - heartbeat: seconds between signs of life on a stream.
  public init(
    port: UInt16 = 0, certificate: ServerCertificate? = nil, faults: FaultScript = FaultScript(),
    heartbeat: TimeInterval = 30, witness: Witness? = nil, recognizer: @escaping Recognizer
  ) throws(Failure) {
    self.certificate = certificate
    self.faults = faults
    self.heartbeat = heartbeat
    self.witness = witness
    self.recognizer = recognizer
    let listener: CInt
    (listener, self.port) = try Self.listen(port)
    let accepting = AcceptLoop(listener: listener)
    self.accepting = accepting
    let itself = WeakServer(self)
    Thread.detachNewThread { accepting.run(itself) }
  }

  /// Ends every connection. Streams under way break off.
  public func stop() {
    accepting.stop()
    jobs.close()
    for channel in channels.withLock({ Array($0.values) }) { channel.shut() }
  }

  deinit { stop() }

  public var statistics: Statistics {
    var statistics = tally.withLock { $0 }
    let counts = jobs.counts
    statistics.jobs = counts.made
    statistics.openJobs = counts.open
    return statistics
  }

  /// On the monotonic clock.
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Serves one connection on a thread of its own.
  func take(_ socket: CInt) {
    let number = tally.withLock { tally in
      tally.connections += 1
      return tally.connections
    }
    Thread.detachNewThread { [weak self] in
      Self.ignoreBrokenPipes()
      guard let channel = Channel(socket: socket, certificate: self?.certificate) else { return }
      self?.channels.withLock { $0[ObjectIdentifier(channel)] = channel }
      var connection = Connection(channel: channel, number: number)
      while let server = self, connection.serveOne(server) {}
      self?.channels.withLock { $0[ObjectIdentifier(channel)] = nil }
    }
  }

  /// OpenSSL writes without `MSG_NOSIGNAL`; a client that has left must not end the process.
  private static func ignoreBrokenPipes() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  private static func listen(_ port: UInt16) throws(Failure) -> (CInt, UInt16) {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var on: CInt = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && Glibc.listen(listener, 512) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    guard isListening else {
      let reason = String(cString: strerror(errno))
      close(listener)
      throw Failure(port: port, reason: reason)
    }
    return (listener, UInt16(bigEndian: address.sin_port))
  }
}

/// `@unchecked Sendable`: a weak reference is read atomically, and never set again.
private final class WeakServer: @unchecked Sendable {
  weak var server: TalariaServer?
  init(_ server: TalariaServer) { self.server = server }
}

/// Takes connections until the server is gone or stopped. The descriptor is closed when neither the server nor the
/// thread has it any more, so that its number is nobody else's while one of them does.
private final class AcceptLoop: Sendable {
  private let listener: CInt

  init(listener: CInt) { self.listener = listener }

  deinit { close(listener) }

  func stop() { shutdown(listener, CInt(SHUT_RDWR)) }

  func run(_ weak: WeakServer) {
    while true {
      let socket = accept(listener, nil, nil)
      guard socket >= 0 || errno == EINTR || errno == ECONNABORTED || errno == EMFILE else { return }
      guard socket >= 0 else { continue }
      _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
      guard let server = weak.server else {
        close(socket)
        return
      }
      server.take(socket)
    }
  }
}

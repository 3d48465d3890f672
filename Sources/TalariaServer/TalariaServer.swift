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
    /// Clients and uploads for which there was no room.
    public var refused = 0
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
  let limits: ServerLimits
  let jobs = Jobs()
  let tally = Locked(Statistics())
  private let accepting: AcceptLoop
  /// Of all connections; `nil` once the server has been stopped.
  private let channels = Locked<[ObjectIdentifier: Channel]?>([:])
  private let (seats, standing): (Budget, Budget)
  private let uploads: Budget
  private let clock: SecondsClock

  public struct Failure: Error, CustomStringConvertible {
    public let port: UInt16
    /// The system's.
    public let reason: String
    /// Nil when the reason says it.
    var remedy: String? = "choose another port"
    public var description: String {
      "Cannot serve on port \(port): \(reason)\(remedy.map { "; \($0)" } ?? "")."
    }
  }

  /// Serves on 127.0.0.1 at once.
  /// - Parameters:
  ///   - port: 0 for any that is free.
  ///   - heartbeat: seconds between signs of life on a stream.
  public convenience init(
    port: UInt16 = 0, certificate: ServerCertificate? = nil, faults: FaultScript = FaultScript(),
    heartbeat: TimeInterval = 30, limits: ServerLimits = ServerLimits(), witness: Witness? = nil,
    recognizer: @escaping Recognizer
  ) throws(Failure) {
    try self.init(
      port: port, certificate: certificate, faults: faults, heartbeat: heartbeat, limits: limits,
      clock: monotonicSeconds, witness: witness, recognizer: recognizer)
  }

  /// - Parameter clock: by which a client's slowness is told.
  init(
    port: UInt16 = 0, certificate: ServerCertificate? = nil, faults: FaultScript = FaultScript(),
    heartbeat: TimeInterval = 30, limits: ServerLimits, clock: @escaping SecondsClock,
    witness: Witness? = nil, recognizer: @escaping Recognizer
  ) throws(Failure) {
    self.certificate = certificate
    self.faults = faults
    self.heartbeat = heartbeat
    self.witness = witness
    self.limits = limits
    self.clock = clock
    self.recognizer = recognizer
    (seats, standing) = (Budget(limits.connections), Budget(ServerLimits.standing))
    uploads = Budget(limits.uploadBytes)
    let listener: CInt
    (listener, self.port) = try Self.listen(port)
    let accepting = AcceptLoop(listener: listener)
    self.accepting = accepting
    let itself = WeakServer(self)
    let run: @Sendable () -> Void = {
      accepting.run {
        guard let server = itself.server else {
          close($0)
          return false
        }
        server.take($0)
        return true
      } refuse: {
        if let server = itself.server { server.refuse($0) } else { close($0) }
      }
    }
    do throws(ResourceShortage) { try NamedThread.start(name: "accept", run) } catch {
      throw Failure(port: self.port, reason: "\(error)", remedy: nil)
    }
  }

  /// Ends every connection. Streams under way break off.
  public func stop() {
    accepting.stop()
    jobs.close()
    let open = channels.withLock { channels in
      defer { channels = nil }
      return channels ?? [:]
    }
    for channel in open.values { channel.shut() }
  }

  deinit { stop() }

  public var statistics: Statistics {
    var statistics = tally.withLock { $0 }
    let counts = jobs.counts
    statistics.jobs = counts.made
    statistics.openJobs = counts.open
    return statistics
  }

  /// Serves one connection on a thread of its own. One for which there is no seat is told so, if there is room to stand.
  fileprivate func take(_ socket: CInt) {
    let number = tally.withLock { tally in
      tally.connections += 1
      return tally.connections
    }
    let channel = Channel(socket: socket, limits: limits, clock: clock)
    let (seat, place) = (Share(of: seats), Share(of: standing))
    let isSeated = seat.grow(to: 1)
    guard isSeated || place.grow(to: 1), register(channel) else { return }
    let serve: @Sendable () -> Void = { [weak self] in
      Self.ignoreBrokenPipes()
      Self.serve(channel, number: number, isSeated: isSeated) { [weak self] in self }
      self?.forget(channel)
      // The next client may come in before this thread has ended, but not before the descriptor is given back.
      withExtendedLifetime((seat, place)) {}
    }
    do throws(ResourceShortage) { try NamedThread.start(name: "connection", serve) } catch { forget(channel) }
  }

  /// - Parameter server: asked before each request, so that a connection alone does not keep it.
  private static func serve(
    _ channel: Channel, number: Int, isSeated: Bool, _ server: () -> TalariaServer?
  ) {
    guard let first = server() else { return }
    if let certificate = first.certificate, !channel.secure(with: certificate) { return }
    var connection = Connection(channel: channel, number: number, limits: first.limits, budget: first.uploads)
    guard isSeated else { return connection.refuse(first) }
    while let server = server(), connection.serveOne(server) {}
    channel.sayGoodbye()
  }

  /// Whether the server still runs.
  private func register(_ channel: Channel) -> Bool {
    channels.withLock { channels in
      channels?[ObjectIdentifier(channel)] = channel
      return channels != nil
    }
  }

  private func forget(_ channel: Channel) {
    channels.withLock { channels in channels?[ObjectIdentifier(channel)] = nil }
  }

  /// Tells a client that there is no descriptor for it, as far as that can be done in a moment, and lets it go.
  fileprivate func refuse(_ socket: CInt) {
    tally.withLock { tally in
      tally.connections += 1
      tally.refused += 1
    }
    let channel = Channel(socket: socket, limits: limits, clock: clock)
    guard certificate == nil else { return }
    var patience = Patience(seconds: 0.1)
    guard (try? channel.read(1 << 16, &patience)) != nil else { return }
    let answer =
      "HTTP/1.1 503 -\r\nRetry-After: \(limits.retryAfter)\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    if channel.write(Array(answer.utf8)) { channel.dismiss() }
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

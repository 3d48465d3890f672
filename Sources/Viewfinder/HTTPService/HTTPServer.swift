import Glibc
import Log
import System

/// Accepts the connections of a server: a listener, a thread for each client, and their limits. `serve` reads
/// and writes on a connection.
package final class HTTPServer: Sendable {
  /// The connection that a thread serves.
  package struct Client: Sendable {
    package let channel: Channel
    /// The number of the connection, from 1.
    package let number: Int
    /// Whether the connection has a slot. If not, the client must be answered 503. With a lobby, no connection has a slot before `admit`.
    package let hasSlot: Bool
    fileprivate let slot: Share
    fileprivate let lobby: Lobby?
    /// The connection's place in the lobby, which is freed once it has a slot.
    fileprivate let place: Locked<Share?>

    /// Gives the connection a slot for as long as it lasts.
    /// - Returns: whether there was a slot.
    package func admit() -> Bool {
      guard let lobby else { return hasSlot }
      guard slot.grow(to: 1) else { return false }
      lobby.leave(number)
      place.withLock { $0 = nil }
      return true
    }
  }

  package struct Failure: Error {
    package let port: UInt16
    /// The system's error message.
    package let reason: String
    /// Whether the process could not start a thread. Otherwise the port or the address is at fault.
    package var isShortage = false
  }

  package struct Counts: Sendable, Equatable {
    package var connections = 0
    /// The number of clients for whom there was no descriptor.
    package var refused = 0
  }

  package let port: UInt16
  package let certificate: ServerCertificate?
  package let limits: ServerLimits
  private let clock: SecondsClock
  private let accepting: AcceptLoop
  private let tally = Locked(Counts())
  /// The channels of all connections. Nil once the server is stopped.
  private let channels = Locked<[ObjectIdentifier: Channel]?>([:])
  private let (slots, standing): (Budget, Budget)
  private let lobby: Lobby?

  /// Opens the port. Clients are served once `begin` is called.
  /// - Parameters:
  ///   - address: an IPv4 address of this machine.
  ///   - port: 0 for any free port.
  ///   - clock: measures how slow a client is.
  package init(
    address: String = "127.0.0.1", port: UInt16, certificate: ServerCertificate? = nil, limits: ServerLimits,
    clock: @escaping SecondsClock = monotonicSeconds
  ) throws(Failure) {
    self.certificate = certificate
    self.limits = limits
    self.clock = clock
    slots = Budget(limits.connections)
    standing = Budget(ServerLimits.standing)
    lobby = limits.lobby.map { Lobby(places: $0) }
    let listener: CInt
    (listener, self.port) = try Self.listen(address, port)
    accepting = AcceptLoop(listener: listener)
  }

  deinit { stop() }

  package var counts: Counts { tally.withLock { $0 } }

  /// Serves until the server is stopped or released.
  /// - Parameter serve: called on the connection's own thread. The connection ends when it returns.
  package func begin(_ serve: @escaping @Sendable (Client) -> Void) throws(Failure) {
    let accepting = accepting
    let run: @Sendable () -> Void = { [weak self] in
      accepting.run { socket in
        guard let self else {
          close(socket)
          return false
        }
        self.take(socket, serve)
        return true
      } refuse: { socket in
        if let self { self.refuse(socket) } else { close(socket) }
      }
    }
    do throws(ResourceShortage) { try NamedThread.start(name: "accept", run) } catch {
      throw Failure(port: port, reason: "\(error)", isShortage: true)
    }
  }

  /// Ends every connection.
  package func stop() {
    accepting.stop()
    let open = channels.withLock { channels in
      defer { channels = nil }
      return channels ?? [:]
    }
    for channel in open.values { channel.shut() }
  }

  /// Serves one connection on its own thread. A connection without a slot is answered 503 if one of the places for refused clients is free.
  private func take(_ socket: CInt, _ serve: @escaping @Sendable (Client) -> Void) {
    let number = tally.withLock { tally in
      tally.connections += 1
      return tally.connections
    }
    Log.http.debug("connection \(number)")
    let channel = Channel(socket: socket, limits: limits, clock: clock)
    let slot = Share(of: slots)
    let hasSlot = lobby == nil && slot.grow(to: 1)
    guard let room = place(for: channel, number, hasSlot), register(channel) else { return }
    let place = Locked<Share?>(room)
    let run: @Sendable () -> Void = { [weak self, certificate, lobby] in
      Self.ignoreBrokenPipes()
      if certificate.map(channel.secure) ?? true {
        serve(
          Client(channel: channel, number: number, hasSlot: hasSlot, slot: slot, lobby: lobby, place: place)
        )
      }
      lobby?.leave(number)
      self?.forget(channel)
      // Another client may get the slot before this thread has ended, but not before the descriptor is closed.
      withExtendedLifetime((slot, place)) {}
    }
    do throws(ResourceShortage) { try NamedThread.start(name: "connection", run) } catch {
      lobby?.leave(number)
      forget(channel)
      refuse(channel)
    }
  }

  /// A place for a client without a slot: in the lobby, or among those that are answered 503.
  private func place(for channel: Channel, _ number: Int, _ hasSlot: Bool) -> Share? {
    if let lobby { return lobby.enter(channel, number) }
    let place = Share(of: standing)
    return hasSlot || place.grow(to: 1) ? place : nil
  }

  /// Adds a channel.
  /// - Returns: whether the server still runs.
  private func register(_ channel: Channel) -> Bool {
    channels.withLock { channels in
      channels?[ObjectIdentifier(channel)] = channel
      return channels != nil
    }
  }

  private func forget(_ channel: Channel) {
    channels.withLock { channels in channels?[ObjectIdentifier(channel)] = nil }
  }

  /// Refuses a client for whom there is no descriptor.
  private func refuse(_ socket: CInt) {
    tally.withLock { tally in
      tally.connections += 1
      tally.refused += 1
    }
    refuse(Channel(socket: socket, limits: limits, clock: clock))
  }

  /// Answers 503 as far as that is possible in a moment, and closes the connection.
  private func refuse(_ channel: Channel) {
    Log.http.warning("a client was turned away: there is no thread or descriptor for it")
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

  private static func listen(_ host: String, _ port: UInt16) throws(Failure) -> (CInt, UInt16) {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var on: CInt = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
      close(listener)
      throw Failure(port: port, reason: "\(host) is not an IPv4 address")
    }
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

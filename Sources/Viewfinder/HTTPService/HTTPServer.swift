import Glibc
import Log
import System

/// A server's connections: a listener, a thread for each client, and the limits of both. What is said on a connection is its user's.
package final class HTTPServer: Sendable {
  /// What a connection's thread is given.
  package struct Client: Sendable {
    package let channel: Channel
    /// Of the server's connections; counts from 1.
    package let number: Int
    /// False for one that there is no room for: it is to be told 503. Where there is a lobby nobody has a slot before `admit`.
    package let hasSlot: Bool
    fileprivate let slot: Share
    fileprivate let lobby: Lobby?
    /// Its room in the lobby, which is free again once it has a slot.
    fileprivate let place: Locked<Share?>

    /// Gives who is let in a slot for as long as it is there; whether there was one.
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
    /// The system's.
    package let reason: String
    /// The process has no thread for it; otherwise the port or address is at fault.
    package var isShortage = false
  }

  package struct Counts: Sendable, Equatable {
    package var connections = 0
    /// Clients for whom there was not even a descriptor.
    package var refused = 0
  }

  package let port: UInt16
  package let certificate: ServerCertificate?
  package let limits: ServerLimits
  private let clock: SecondsClock
  private let accepting: AcceptLoop
  private let tally = Locked(Counts())
  /// Of all connections; `nil` once the server has been stopped.
  private let channels = Locked<[ObjectIdentifier: Channel]?>([:])
  private let (slots, standing): (Budget, Budget)
  private let lobby: Lobby?

  /// Takes the port; clients are served from `begin` on.
  /// - Parameters:
  ///   - address: an IPv4 address of this machine.
  ///   - port: 0 for any that is free.
  ///   - clock: by which a client's slowness is told.
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

  /// Serves until the server is stopped or nobody holds it.
  /// - Parameter serve: called on a thread of each connection; the connection ends when it returns.
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

  /// Serves one connection on a thread of its own. One for which there is no slot is told so, if there is room to stand.
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
      // The next client may come in before this thread has ended, but not before the descriptor is given back.
      withExtendedLifetime((slot, place)) {}
    }
    do throws(ResourceShortage) { try NamedThread.start(name: "connection", run) } catch {
      lobby?.leave(number)
      forget(channel)
      refuse(channel)
    }
  }

  /// Room for a client beside the slots: in the lobby, or to stand and be told 503.
  private func place(for channel: Channel, _ number: Int, _ hasSlot: Bool) -> Share? {
    if let lobby { return lobby.enter(channel, number) }
    let place = Share(of: standing)
    return hasSlot || place.grow(to: 1) ? place : nil
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

  /// For a client for whom there is no descriptor.
  private func refuse(_ socket: CInt) {
    tally.withLock { tally in
      tally.connections += 1
      tally.refused += 1
    }
    refuse(Channel(socket: socket, limits: limits, clock: clock))
  }

  /// Tells a client that the process has no room for it, as far as that can be done in a moment, and lets it go.
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
      throw Failure(port: port, reason: "\(host) is no IPv4 address")
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

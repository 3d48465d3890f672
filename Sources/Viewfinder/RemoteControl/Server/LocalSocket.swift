import CLinux
import Glibc
import HTTPService
import JSON
import System

/// The control channel for programs of this user: a Unix socket with one message per line.
package final class LocalSocket: Sendable {
  package struct Failure: Error {
    package let path: String
    package let reason: String
  }

  package let path: String
  private let accepting: AcceptLoop
  private let open = Locked<[Int: Channel]?>([:])
  private let slots = Budget(32)

  /// `$XDG_RUNTIME_DIR/swiftwing`, or a folder of this user in `/tmp` if the variable is not set.
  package static func folder() -> String {
    if let folder = getenv("XDG_RUNTIME_DIR"), folder[0] == UInt8(ascii: "/") {
      return String(cString: folder) + "/swiftwing"
    }
    return "/tmp/swiftwing-\(getuid())"
  }

  /// Starts listening. An existing socket of that name on which nobody listens is replaced.
  /// - Parameter folder: a private folder of this user, created if it is missing.
  package init(_ server: ViewfinderServer, folder: String = LocalSocket.folder()) throws(Failure) {
    path = "\(folder)/view-\(server.port).sock"
    let listener = try Self.listen(path, in: folder)
    let accepting = AcceptLoop(listener: listener)
    self.accepting = accepting
    let run: @Sendable () -> Void = { [weak self, weak server] in
      accepting.run { socket in
        guard let self, let server else {
          close(socket)
          return false
        }
        self.take(socket, server)
        return true
      } refuse: {
        close($0)
      }
    }
    do throws(ResourceShortage) { try NamedThread.start(name: "local-accept", run) } catch {
      throw Failure(path: path, reason: "\(error)")
    }
  }

  package func stop() {
    accepting.stop()
    unlink(path)
    let channels = open.withLock { open in
      defer { open = nil }
      return open ?? [:]
    }
    for channel in channels.values { channel.shut() }
  }

  deinit { stop() }

  private func take(_ socket: CInt, _ server: ViewfinderServer) {
    let channel = Channel(socket: socket)
    let slot = Share(of: slots)
    // Check the peer's user even though the file's mode already excludes others, in case others may enter the folder.
    var user = uid_t()
    guard linux_peer_user(socket, &user), user == getuid(), slot.grow(to: 1) else { return }
    let number = server.nextNumber()
    let isOpen = open.withLock { open in
      open?[number] = channel
      return open != nil
    }
    guard isOpen else { return }
    let hub = server.hub
    do throws(ResourceShortage) {
      try NamedThread.start(name: "local") { [weak self] in
        Self.serve(channel, number, hub: hub)
        self?.forget(number)
        withExtendedLifetime(slot) {}
      }
    } catch {
      forget(number)
      Self.refuse(channel)
    }
  }

  private func forget(_ number: Int) {
    open.withLock { open in _ = open?.removeValue(forKey: number) }
  }

  /// Refuses a client because no thread can be started.
  private static func refuse(_ channel: Channel) {
    let reason = "the viewfinder has no room for another client; try again soon"
    let line = JSONSerializer.line(.object(["type": .string("error"), "reason": .string(reason)]))
    _ = channel.write(line + [10], within: 0.1)
  }

  private static func serve(_ channel: Channel, _ number: Int, hub: ViewfinderHub) {
    let client = ControlClient(number: number, isViewer: false) { channel.shut() }
    let writer = try? NamedThread(name: "local-send") {
      while let line = client.next(), channel.write(line + [10], within: 5) {}
      channel.shut()
    }
    guard let writer else { return refuse(channel) }
    ControlTask.wait { await hub.connect(client) }
    var lines = ChannelLines(channel: channel, limit: ClientMessage.byteLimit)
    var pace = MessagePace()
    while let line = lines.next() {
      pace.wait()
      if !line.isEmpty { hub.take(line, from: client) }
    }
    ControlTask.wait { await hub.disconnect(client) }
    writer.join()
  }

  private static func listen(_ path: String, in folder: String) throws(Failure) -> CInt {
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw Failure(path: path, reason: "\(folder) cannot be made: \(String(cString: strerror(errno)))")
    }
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(),
      status.st_mode & 0o077 == 0
    else { throw Failure(path: path, reason: "\(folder) must be a folder of this user with mode 0700") }
    if let other = LocalConnection.connect(path) {
      close(other)
      throw Failure(path: path, reason: "another viewfinder uses it; end that one first")
    }
    unlink(path)
    let listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    let before = umask(0o177)
    defer { umask(before) }
    let isBound = LocalConnection.withAddress(path) {
      bind(listener, $0, $1) == 0 && Glibc.listen(listener, 32) == 0
    }
    guard isBound else {
      let reason = String(cString: strerror(errno))
      close(listener)
      throw Failure(path: path, reason: reason)
    }
    return listener
  }
}

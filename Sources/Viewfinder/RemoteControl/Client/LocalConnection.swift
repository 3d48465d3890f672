import CLinux
import Glibc
import System

/// The client side of a local socket.
package enum LocalConnection {
  /// - Returns: a connected socket. Nil if no process of this user listens.
  package static func connect(_ path: String) -> CInt? {
    let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var user = uid_t()
    if withAddress(path, { Glibc.connect(descriptor, $0, $1) == 0 }), linux_peer_user(descriptor, &user),
      user == getuid()
    {
      return descriptor
    }
    close(descriptor)
    return nil
  }

  /// Calls `body` with the socket's address. Returns false without calling it if the path is too long.
  static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      errno = ENAMETOOLONG
      return false
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

extension LocalConnection {
  /// The paths of the sockets at which viewfinders of this user answer, sorted.
  package static func sockets(in folder: String = LocalSocket.folder()) -> [String] {
    let names = try? FolderNames.read(folder, limit: 1024) {
      $0.begins(exactly: "view-") && $0.ends(exactly: ".sock")
    }
    return (names ?? []).sorted { $0.comesBefore($1) }.map { "\(folder)/\($0)" }.filter { path in
      guard let descriptor = connect(path) else { return false }
      close(descriptor)
      return true
    }
  }
}

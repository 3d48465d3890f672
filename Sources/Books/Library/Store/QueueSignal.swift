import Dispatch
import Glibc

/// Notifies the scanning program that another program has changed the queue. Sends a datagram to a socket in Linux's abstract namespace (unix(7)),
/// which is named after the library's file and leaves nothing on disk. The receiver only looks at the queue, so the sender need not be trusted.
///
/// `@unchecked Sendable`: the source is created in `init` and afterwards only cancelled, which Dispatch allows from any thread.
package final class QueueSignal: @unchecked Sendable {
  private let source: any DispatchSourceRead

  /// Listens for signals. Nil if another program listens already, or if no socket can be opened; signals are lost then.
  package init?(_ library: FileIdentity, onSignal: @escaping @Sendable () -> Void) {
    guard let descriptor = Self.socket() else { return nil }
    let isBound = Self.withAddress(of: library) { bind(descriptor, $0, $1) == 0 }
    guard isBound else {
      close(descriptor)
      return nil
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler {
      var byte: UInt8 = 0
      for _ in 0..<64 where recv(descriptor, &byte, 1, 0) < 0 { break }
      onSignal()
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  deinit { source.cancel() }

  package static func send(_ library: FileIdentity) {
    guard let descriptor = socket() else { return }
    defer { close(descriptor) }
    var byte: UInt8 = 1
    _ = withAddress(of: library) { sendto(descriptor, &byte, 1, CInt(MSG_NOSIGNAL), $0, $1) }
  }

  private static func socket() -> CInt? {
    let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    let descriptor = Glibc.socket(AF_UNIX, kind, 0)
    return descriptor < 0 ? nil : descriptor
  }

  private static func withAddress<Value>(
    of library: FileIdentity, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
  ) -> Value {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // The leading zero makes the address abstract.
    let name = [0] + Array("swiftwing-queue-\(library.name)".utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.prefix($0.count)) }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }
}

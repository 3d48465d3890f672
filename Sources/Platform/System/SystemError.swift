import Glibc

/// What the system refused, by its number (errno(3)). Each room makes an error of its own of it, with what was being done and the
/// remedy.
package struct SystemError: Error, Equatable, Sendable {
  package let code: CInt

  package init(_ code: CInt) { self.code = code }

  /// As the system says it, such as `No space left on device`.
  package var reason: String { String(cString: strerror(code)) }
}

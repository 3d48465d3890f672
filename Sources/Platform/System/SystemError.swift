import Glibc

/// A system error by its number (errno(3)). Each module converts it to an error of its own, with the operation and the remedy.
package struct SystemError: Error, Equatable, Sendable {
  package let code: CInt

  package init(_ code: CInt) { self.code = code }

  /// The system's text, such as `No space left on device`.
  package var reason: String { String(cString: strerror(code)) }
}

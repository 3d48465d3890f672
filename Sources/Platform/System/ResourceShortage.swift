import Glibc

/// An error: the system has no more threads or descriptors for the engine.
public struct ResourceShortage: Error, Hashable, Sendable, CustomStringConvertible {
  /// A resource that may run out.
  public enum Resource: Hashable, Sendable {
    /// `pthread_create` failed.
    case thread
    /// `eventfd` failed.
    case descriptor
  }

  /// The resource that has run out.
  public let resource: Resource
  /// The system's error number (errno(3)), usually `EAGAIN` or `EMFILE`.
  public let errno: Int32

  /// Creates the error from the `errno` of a failed call.
  public init(_ resource: Resource, errno: Int32) {
    self.resource = resource
    self.errno = errno
  }

  /// The resource and the reason, as a clause for a person.
  public var description: String {
    let reason = String(cString: strerror(errno))
    return switch resource {
    case .thread:
      "the process may not start another thread (pthread_create: \(reason)); end other programs, or raise its limit with `ulimit -u`"
    case .descriptor:
      "the process may open no more files (eventfd: \(reason)); close some of its files, or raise its limit with `ulimit -n`"
    }
  }
}

import Glibc

/// The system has nothing left of what a thread of the engine needs: one clear sentence instead of an end.
public struct ResourceShortage: Error, Hashable, Sendable, CustomStringConvertible {
  /// What there is none left of.
  public enum Resource: Hashable, Sendable {
    /// `pthread_create` failed.
    case thread
    /// `eventfd` failed.
    case descriptor
  }

  /// What there is none left of.
  public let resource: Resource
  /// The system's reason, as `errno(3)` lists them: usually `EAGAIN` or `EMFILE`.
  public let errno: Int32

  /// The shortage that a failed call has left in `errno`.
  public init(_ resource: Resource, errno: Int32) {
    self.resource = resource
    self.errno = errno
  }

  /// What is short, and why, as a clause for a person.
  public var description: String {
    let reason = String(cString: strerror(errno))
    return switch resource {
    case .thread:
      "the process may not start another thread (pthread_create: \(reason)); end other programs, or raise its limit with `ulimit -u`"
    case .descriptor:
      "the process may open no more files (eventfd: \(reason)); close some, or raise its limit with `ulimit -n`"
    }
  }
}

import CVideo4Linux
import Glibc

/// A system error number, as listed in `errno(3)`.
public struct Errno: Error, RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The number, such as 16 for `EBUSY`.
  public let rawValue: Int32

  /// Creates an error from any number, including one without a name here.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// `EPERM`.
  public static let notPermitted = Errno(rawValue: EPERM)
  /// `ENOENT`.
  public static let noEntry = Errno(rawValue: ENOENT)
  /// `EINTR`.
  public static let interrupted = Errno(rawValue: EINTR)
  /// `EIO`.
  public static let inputOutput = Errno(rawValue: EIO)
  /// `ENXIO`.
  public static let noDeviceOrAddress = Errno(rawValue: ENXIO)
  /// `EBADF`.
  public static let badDescriptor = Errno(rawValue: EBADF)
  /// `EAGAIN`.
  public static let tryAgain = Errno(rawValue: EAGAIN)
  /// `ENOMEM`.
  public static let outOfMemory = Errno(rawValue: ENOMEM)
  /// `EACCES`.
  public static let accessDenied = Errno(rawValue: EACCES)
  /// `EBUSY`.
  public static let busy = Errno(rawValue: EBUSY)
  /// `ENODEV`.
  public static let noDevice = Errno(rawValue: ENODEV)
  /// `EINVAL`.
  public static let invalidArgument = Errno(rawValue: EINVAL)
  /// `EMFILE`: the limit of open files of the process is reached.
  public static let tooManyFiles = Errno(rawValue: EMFILE)
  /// `ENFILE`: the limit of open files of the system is reached.
  public static let fileTableFull = Errno(rawValue: ENFILE)
  /// `ENOTTY`.
  public static let notTTY = Errno(rawValue: ENOTTY)
  /// `ENOSPC`.
  public static let noSpace = Errno(rawValue: ENOSPC)
  /// `EPIPE`.
  public static let brokenPipe = Errno(rawValue: EPIPE)
  /// `ERANGE`.
  public static let outOfRange = Errno(rawValue: ERANGE)
  /// `EPROTO`.
  public static let protocolError = Errno(rawValue: EPROTO)
  /// `ENOLINK`.
  public static let noLink = Errno(rawValue: ENOLINK)
  /// `ENOLCK`.
  public static let noLock = Errno(rawValue: ENOLCK)
  /// `ENODATA`.
  public static let noData = Errno(rawValue: ENODATA)
  /// `ENOBUFS`.
  public static let noBufferSpace = Errno(rawValue: ENOBUFS)
  /// `ESHUTDOWN`.
  public static let shutDown = Errno(rawValue: ESHUTDOWN)
  /// `EOPNOTSUPP`.
  public static let notSupported = Errno(rawValue: EOPNOTSUPP)

  /// The C library's message, in English in any locale.
  public var description: String {
    guard let text = cv4l2_error_text(rawValue) else { return "error \(rawValue)" }
    return String(cString: text)
  }

  /// The symbol, for example `EBUSY`.
  public var symbol: String {
    guard let name = cv4l2_error_symbol(rawValue) else { return "errno \(rawValue)" }
    return String(cString: name)
  }

  /// Throws the `-errno` that the C module returns; otherwise returns the result.
  @discardableResult
  static func check(_ result: Int32) throws(Errno) -> Int32 {
    guard result >= 0 else { throw Errno(rawValue: -result) }
    return result
  }
}

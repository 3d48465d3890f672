import CLinux
import Glibc

/// Another program. All programs are started by this type. A child inherits its three standard streams and nothing else: no other descriptor, no
/// blocked signal, no ignored SIGPIPE. Foundation's `Process` is not used: up to Swift 6.3 it sometimes reads past its buffer while it searches
/// for open descriptors, and crashes the program (swift-corelibs-foundation, pull request 5472).
///
/// The caller must wait for the end of the child. Until then its process number is not reused.
package struct ChildProcess: Sendable {
  /// The target of a standard stream.
  package enum Stream: Sendable {
    /// The stream of the same number in this process.
    case inherited
    /// `/dev/null`: reading reaches the end at once, and writes are discarded.
    case nothing
    case descriptor(CInt)

    fileprivate var number: CInt {
      switch self {
      case .inherited: CInt(linux_stream_inherited)
      case .nothing: CInt(linux_stream_nothing)
      case .descriptor(let number): number
      }
    }
  }

  package struct End: Sendable, Equatable {
    /// The exit status, or 128 plus the number of the signal that ended the program.
    package var status: CInt
    /// The number of the signal that ended the program; 0 if none did.
    package var signal: CInt
    /// The processor time of all threads of the program, user and system, in seconds.
    package var processorSeconds: Double
  }

  package let identifier: CInt

  /// Starts a program.
  /// - Parameters:
  ///   - program: a path, or a name that is searched in `PATH`.
  ///   - arguments: the arguments after the name. No shell interprets them.
  ///   - environment: variables to set in addition to those of this process.
  ///   - isApart: whether to use a new process group, with no signal ignored.
  /// - Throws: the error of the start, such as `ENOENT`.
  package init(
    _ program: String, _ arguments: [String] = [], input: Stream = .nothing, output: Stream = .inherited,
    errors: Stream = .inherited, environment: [String: String] = [:], isApart: Bool = false
  ) throws(SystemError) {
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var variables = Self.variables(environment) + [nil]
    defer { for word in words + variables { free(word) } }
    var child = pid_t()
    let code = linux_spawn(
      program, &words, &variables, [input.number, output.number, errors.number], isApart, &child)
    guard code == 0 else { throw SystemError(code) }
    identifier = child
  }

  /// Sends a signal.
  /// - Returns: false if the process is gone.
  @discardableResult package func send(_ signal: CInt) -> Bool { kill(identifier, signal) == 0 }

  /// Waits until the child has ended. Call this once: afterwards another process may have the child's process number.
  /// - Returns: status 255 if the system keeps no exit status, since this process ignores `SIGCHLD`.
  package func wait() -> End {
    var (status, usage) = (CInt(0), rusage())
    while wait4(identifier, &status, 0, &usage) < 0 {
      guard errno == EINTR else { return End(status: 255, signal: 0, processorSeconds: 0) }
    }
    let signal = status & 0x7F
    return End(
      status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, signal: signal,
      processorSeconds: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime))
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

  /// The environment of this process, with the changed variables replaced.
  private static func variables(_ changes: [String: String]) -> [UnsafeMutablePointer<CChar>?] {
    var variables = changes.map { strdup("\($0)=\($1)") }
    var entry = environ
    while let text = entry.pointee {
      let name = String(
        decoding: String(cString: text).utf8.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
      if changes[name] == nil { variables.append(strdup(text)) }
      entry += 1
    }
    return variables
  }
}

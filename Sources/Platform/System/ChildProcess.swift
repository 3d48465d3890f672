import CLinux
import Glibc

/// Another program, started in the one way that there is here. It gets its three standard streams and nothing else of ours: no other
/// descriptor, no blocked signal, no ignored SIGPIPE. Foundation's `Process` is used nowhere: up to Swift 6.3 it now and then reads past its
/// buffer while it looks for open descriptors, and crashes the program (swift-corelibs-foundation, pull request 5472).
///
/// Whoever starts one must wait for its end. Until then no other process gets its number.
package struct ChildProcess: Sendable {
  /// What one of its standard streams is.
  package enum Stream: Sendable {
    /// The same as ours.
    case inherited
    /// `/dev/null`: reading it meets the end at once, and what is written to it is lost.
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

  /// How a program came to its end.
  package struct End: Sendable, Equatable {
    /// The exit status, or 128 and the signal that ended it.
    package var status: CInt
    /// The signal that ended it; 0 for none.
    package var signal: CInt
    /// What all its threads took, user and system, seconds.
    package var processorSeconds: Double
  }

  package let identifier: CInt

  /// Starts it.
  /// - Parameters:
  ///   - program: a path, or a name that is looked for in `PATH`.
  ///   - arguments: those after the name; no shell reads them.
  ///   - environment: variables that are set for it, beside ours.
  ///   - isApart: in a process group of its own, with no signal ignored.
  /// - Throws: why it cannot be started, such as `ENOENT`.
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

  /// Sends it a signal.
  /// - Returns: false when the process is gone.
  @discardableResult package func send(_ signal: CInt) -> Bool { kill(identifier, signal) == 0 }

  /// Waits for its end. Call it once: afterwards another process may have the number.
  package func wait() -> End {
    var (status, usage) = (CInt(0), rusage())
    while wait4(identifier, &status, 0, &usage) < 0 && errno == EINTR {}
    let signal = status & 0x7F
    return End(
      status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, signal: signal,
      processorSeconds: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime))
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

  /// Our environment, with the changed variables replaced.
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

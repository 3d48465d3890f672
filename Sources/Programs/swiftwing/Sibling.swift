import Glibc
import System

/// An executable in the folder of the running executable.
enum Sibling: String {
  /// The program of all commands except `view`.
  case tool = "swiftwing-tool"

  /// Replaces this process by that program.
  /// - Returns: only on failure: the exit status, after printing the reason.
  func replaceProcess(_ arguments: [String]) -> Int32 {
    let path = RunningProgram.sibling(rawValue)
    let error = RunningProgram.become(path, arguments)
    StandardLines.complain(
      "cannot start \(path): \(error.reason); install SwiftWing again, or run `make build`")
    return 2
  }
}

/// Writes unbuffered lines. Each is made safe, since names of sources, devices and options come from outside.
enum StandardLines {
  private static let isOutputLost = Locked(false)
  /// Whether a line could not be written to standard output. This was reported once on standard error.
  static var hasLostOutput: Bool { isOutputLost.withLock { $0 } }

  /// Writes an error as one line on standard error.
  static func complain(_ text: String) {
    write("swiftwing: \(TerminalText.printable(text))\n", to: STDERR_FILENO)
  }

  /// Writes a line of the log to standard error.
  static func note(_ text: String) { write("\(TerminalText.printable(text))\n", to: STDERR_FILENO) }

  /// Writes one line to standard output.
  static func say(_ text: String) {
    write("\(TerminalText.printable(text))\n", to: STDOUT_FILENO)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    let code = text.withUTF8 { WholeFile.write(UnsafeRawBufferPointer($0), to: descriptor) }
    if code != 0 { noteLoss(on: descriptor, code) }
  }

  private static func noteLoss(on descriptor: Int32, _ code: Int32) {
    guard descriptor == STDOUT_FILENO,
      isOutputLost.withLock({ isLost in
        defer { isLost = true }
        return !isLost
      })
    else { return }
    complain("cannot write to standard output: \(String(cString: strerror(code))); redirect it elsewhere")
  }
}

import CMainThread
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

  /// Serialises lines, so that the stream takes each line that it was ready for.
  private static let line = Locked(())

  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    let code = line.withLock { _ -> Int32 in
      guard isReady(descriptor) else { return 0 }
      return text.withUTF8 { WholeFile.write(UnsafeRawBufferPointer($0), to: descriptor) }
    }
    if code != 0 { noteLoss(on: descriptor, code) }
  }

  /// Waits until the stream takes a line. False if the program must end and the reader of a full pipe does not read: a thread that waits for
  /// this reader would never end.
  private static func isReady(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while true {
      let count = poll(&entry, 1, 100)
      if count > 0 { return true }
      if main_thread_signal() != 0 { return false }
      guard count == 0 || errno == EINTR else { return true }
    }
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

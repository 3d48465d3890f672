import Capture
import Glibc

/// An executable beside this one.
enum Sibling: String {
  case harness = "swiftwing-harness"

  /// Becomes that program.
  /// - Returns: only when it cannot be started: the exit status, after telling why.
  func replaceProcess(_ arguments: [String]) -> Int32 {
    let path = "\(CorpusRoots.executableFolder() ?? ".")/\(rawValue)"
    var pointers = ([rawValue] + arguments).map { strdup($0) } + [nil]
    execv(path, &pointers)
    let reason = String(cString: strerror(errno))
    Terminal.complain("cannot start \(path): \(reason); build it with `make build`")
    return 2
  }
}

enum Terminal {
  /// One line on standard error.
  static func complain(_ text: String) {
    fputs("swiftwing: \(text)\n", stderr)
  }

  /// One line on standard output, at once.
  static func say(_ text: String) {
    fputs("\(text)\n", stdout)
    fflush(stdout)
  }

  static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }
}

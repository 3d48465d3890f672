import Corpora
import Glibc
import Harness

/// Another executable of the same installation.
enum SiblingProgram {
  /// Becomes `name`; returns, by throwing, only when it is not there.
  static func become(_ name: String, _ arguments: [String]) throws -> Never {
    let path = "\(CorpusRoots.executableFolder() ?? ".")/\(name)"
    var pointers = ([name] + arguments).map { strdup($0) } + [nil]
    execv(path, &pointers)
    throw Failure(
      "cannot start \(path): \(String(cString: strerror(errno))); build it with `make build`", .usage)
  }
}

import Harness
import System

/// Another executable of the same installation.
enum SiblingProgram {
  /// Becomes `name`; returns, by throwing, only when it is not there.
  static func become(_ name: String, _ arguments: [String]) throws -> Never {
    let path = RunningProgram.sibling(name)
    let error = RunningProgram.become(path, arguments)
    throw Failure("cannot start \(path): \(error.reason); build it with `make build`", .usage)
  }
}

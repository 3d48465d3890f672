import Harness
import System

/// Another executable of the same installation.
enum SiblingProgram {
  /// Replaces this process by the program `name`. Throws if the program cannot be started; otherwise does not return.
  static func become(_ name: String, _ arguments: [String]) throws -> Never {
    let path = RunningProgram.sibling(name)
    let error = RunningProgram.become(path, arguments)
    throw Failure(
      "cannot start \(path): \(error.reason); install SwiftWing again, or run `make build`", .usage)
  }
}

import CLinux
import Glibc
package import Imagery

/// Another program, run to its end.
package struct ChildProgram {
  /// A path, or a name that is looked for in `PATH`.
  let executable: String
  let arguments: [String]
  /// What a person can do when it cannot be started, as a clause.
  let remedy: String?
  /// Whether what it says of errors goes where ours goes; otherwise it is thrown away.
  let showsErrors: Bool

  package init(executable: String, arguments: [String], remedy: String? = nil, showsErrors: Bool = true) {
    self.executable = executable
    self.arguments = arguments
    self.remedy = remedy
    self.showsErrors = showsErrors
  }

  package struct Outcome {
    /// Just before and just after, on `CLOCK_MONOTONIC`.
    package var spawned: MonotonicTime
    package var exited: MonotonicTime
    /// Exit status, or 128 + the signal that ended it.
    package var status: Int32
    /// Standard output, at most 64 KB of it.
    package var output: String
  }

  /// - Throws: `LaunchError` when it cannot be started.
  package func run() throws -> Outcome {
    var descriptors: [Int32] = [0, 0]
    guard linux_pipe(&descriptors) == 0 else { throw LaunchError(executable, errno, remedy) }
    defer { close(descriptors[0]) }
    let spawned = MonotonicTime.now()
    let child: pid_t
    do {
      defer { close(descriptors[1]) }
      child = try spawn(output: descriptors[1])
    }
    let said = readAll(descriptors[0])
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return Outcome(
      spawned: spawned, exited: .now(),
      status: status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f), output: said)
  }

  private func spawn(output: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    if !showsErrors {
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
    var pointers = ([executable] + arguments).map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var child = pid_t()
    let code = posix_spawnp(&child, executable, &actions, nil, &pointers, environ)
    guard code == 0 else { throw LaunchError(executable, code, remedy) }
    return child
  }

  /// Reads to the end, so that a program that says much is not held up, and keeps the beginning.
  private func readAll(_ descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      if bytes.count < 1 << 16 { bytes += buffer[..<count] }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A program that could not be started, or did not do what it was started for.
package struct LaunchError: Error, CustomStringConvertible {
  package let description: String

  package init(_ executable: String, _ reason: String, _ remedy: String?) {
    description = "cannot use \(executable): \(reason)" + (remedy.map { "; \($0)" } ?? "")
  }

  package init(_ executable: String, _ code: Int32, _ remedy: String?) {
    self.init(executable, String(cString: strerror(code)), remedy)
  }
}

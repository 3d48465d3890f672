import CLinux
import Glibc
import Harness
import Imagery

/// Starts the viewfinder as a user would, and learns when its first picture was shown.
struct ViewfinderLaunch {
  let executable: String
  let arguments: [String]

  /// The moments of one start, on `CLOCK_MONOTONIC`.
  struct Moments {
    var spawned: MonotonicTime
    var main: MonotonicTime
    var arrival: MonotonicTime
    var render: MonotonicTime
    var presented: MonotonicTime
    var exited: MonotonicTime
  }

  /// Starts, waits for the end, and reads what it said.
  func run() throws -> Moments {
    var descriptors: [Int32] = [0, 0]
    guard linux_pipe(&descriptors) == 0 else { throw LaunchError(executable, strerror(errno)) }
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
    let exited = MonotonicTime.now()
    guard let fields = FirstPictureLine(said) else {
      throw LaunchError(executable, "it ended (status \(status >> 8)) without showing a picture")
    }
    return Moments(
      spawned: spawned, main: fields.main, arrival: fields.arrival, render: fields.render,
      presented: fields.presented, exited: exited)
  }

  private func spawn(output: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var pointers = ([executable] + arguments).map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var child = pid_t()
    let code = posix_spawn(&child, executable, &actions, nil, &pointers, environ)
    guard code == 0 else { throw LaunchError(executable, strerror(code)) }
    return child
  }

  private func readAll(_ descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 1 << 16 {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

struct LaunchError: Error, CustomStringConvertible {
  let description: String

  init(_ executable: String, _ reason: String) {
    description = "cannot measure the start of \(executable): \(reason); build it with `make build`"
  }

  init(_ executable: String, _ reason: UnsafeMutablePointer<CChar>?) {
    self.init(executable, reason.map { String(cString: $0) } ?? "unknown error")
  }
}

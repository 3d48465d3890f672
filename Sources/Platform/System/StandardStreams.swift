import Glibc

/// The three standard streams of this process.
package enum StandardStreams {
  /// Opens `/dev/null` for each standard stream that this process was started without. It is opened for the
  /// wrong direction, so that using the stream still fails. Otherwise the next opened file, such as a camera,
  /// would get the stream's number, and printed lines would be written to it. Call this before anything is
  /// opened.
  package static func holdClosed() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) == -1 {
      // Streams are checked in order, so that the lowest free number is the number of this stream.
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// The number of files that a command opens in addition to those that the user names: a device, a
  /// library, a socket, and files of the runtime, which traps if it cannot open them.
  private static let room: CInt = 24

  /// Ends the program with a message if it may open almost no files. Call this after `holdClosed`.
  package static func demandRoom() {
    guard !hasRoom else { return }
    // Free numbers may be higher, which takes longer to check.
    var opened: [CInt] = []
    while opened.count < room, case let descriptor = dup(STDERR_FILENO), descriptor >= 0 {
      opened.append(descriptor)
    }
    for descriptor in opened { close(descriptor) }
    guard opened.count < room else { return }
    let sentence =
      "swiftwing: cannot run because the process may open no more than \(opened.count) other files; raise its limit with `ulimit -n`, at least to 64\n"
    _ = Array(sentence.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    _exit(1)
  }

  /// Whether enough of the lowest descriptor numbers are free, as they nearly always are. False if that cannot be determined.
  private static var hasRoom: Bool {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
    let count = min(Int(clamping: limit.rlim_cur), 2 * Int(room))
    return withUnsafeTemporaryAllocation(of: pollfd.self, capacity: count) { numbers in
      for number in numbers.indices { numbers[number] = pollfd(fd: CInt(number), events: 0, revents: 0) }
      guard poll(numbers.baseAddress, nfds_t(count), 0) >= 0 else { return false }
      var free = 0
      for number in numbers.indices where numbers[number].revents & Int16(POLLNVAL) != 0 { free += 1 }
      return free >= room
    }
  }
}

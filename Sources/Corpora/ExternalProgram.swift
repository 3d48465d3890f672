import Glibc

/// Runs another program with an array of arguments; no shell reads them.
enum ExternalProgram {
  struct Output {
    /// As `waitpid` gives it: the exit status, or 128 and the signal.
    let status: Int32
    let output: [UInt8]
    /// The first 4 KiB of what it complained about.
    let complaints: String
  }

  /// Waits for the program's end.
  /// - Parameter limit: bytes of standard output kept; a program that says more is stopped.
  static func run(_ name: String, _ arguments: [String], limit: Int = 256 << 20) throws(CorpusError) -> Output
  {
    var (output, complaints) = (try Pipe(name), try Pipe(name))
    defer {
      output.close()
      complaints.close()
    }
    let process = try spawn(name, arguments, output, complaints)
    output.closeWriter()
    complaints.closeWriter()
    let isWhole = drain(&output, limit, &complaints)
    if !isWhole { kill(process, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    guard isWhole else {
      throw CorpusError(
        .limit, "read what \(name) says", reason: "it is more than \(limit) bytes",
        remedy: "import a shorter video")
    }
    let signal = status & 0x7F
    return Output(
      status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, output: output.bytes,
      complaints: String(decoding: complaints.bytes, as: UTF8.self))
  }

  private static func spawn(
    _ name: String, _ arguments: [String], _ output: Pipe, _ complaints: Pipe
  ) throws(CorpusError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writer, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, complaints.writer, STDERR_FILENO)
    var pointers = ([name] + arguments).map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    var process: pid_t = 0
    let code = posix_spawnp(&process, name, &actions, nil, pointers, environ)
    guard code == 0 else {
      throw CorpusError(
        .tool, "run \(name)", reason: code == ENOENT ? "it is not installed" : CorpusError.reason(code),
        remedy: "install it with `apt-get install ffmpeg`")
    }
    return process
  }

  /// Reads both pipes to their ends; false when there is more than `limit` to read.
  private static func drain(_ output: inout Pipe, _ limit: Int, _ complaints: inout Pipe) -> Bool {
    while output.isOpen || complaints.isOpen {
      var waiting = [
        pollfd(fd: output.isOpen ? output.reader : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: complaints.isOpen ? complaints.reader : -1, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&waiting, 2, -1) < 0 && errno != EINTR { return false }
      if waiting[0].revents != 0 { output.read(keeping: limit + 1) }
      if waiting[1].revents != 0 { complaints.read(keeping: 4096) }
      if output.bytes.count > limit { return false }
    }
    return true
  }
}

/// One pipe from a child, and what has come through it.
private struct Pipe {
  private(set) var reader: Int32 = -1
  private(set) var writer: Int32 = -1
  private(set) var bytes: [UInt8] = []
  private(set) var isOpen = true

  init(_ program: String) throws(CorpusError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw CorpusError(
        .system, "run \(program)", reason: CorpusError.reason(errno), remedy: "close something and try again")
    }
    (reader, writer) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  mutating func closeWriter() {
    if writer >= 0 { Glibc.close(writer) }
    writer = -1
  }

  mutating func close() {
    closeWriter()
    Glibc.close(reader)
  }

  /// Reads what is there; bytes after the first `limit` are dropped.
  mutating func read(keeping limit: Int) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(reader, &buffer, buffer.count)
    if count < 0 && errno == EINTR { return }
    isOpen = count > 0
    if count > 0 { bytes += buffer[..<min(count, max(0, limit - bytes.count))] }
  }
}

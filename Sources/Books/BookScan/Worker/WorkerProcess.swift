import CLinux
import Glibc
import Imagery
import Log
import System

/// A process that reads photos. It ends, at the latest, when its parent process ends.
final class WorkerProcess {
  struct End: Error {
    /// The reason why the process ended, as a clause for a person.
    var reason: String
    /// Whether another process ended the worker: it died of a signal that no program sends itself by mistake.
    var isFromOutside: Bool
    /// Whether the process took longer than it may, as it does on a busy machine.
    var isLate: Bool
    /// The processor time that the process has not reported, seconds.
    var processorSeconds: Double
  }

  enum Trouble: Error {
    /// The process continues, but reports that it cannot do what was asked.
    case told(ScanError)
    case ended(End)
  }

  private let child: ChildProcess
  private let running: Locked<pid_t?>
  private var channel: WorkerChannel
  private let descriptors: [Int32]
  /// The processor time that the process has reported, seconds.
  private var told = 0.0
  private var number = 0
  private var isOver = false
  private var isSpent = false

  /// Starts a process.
  /// - Parameter running: holds the process's identifier as long as the identifier is valid.
  /// - Throws: `unavailable` if it cannot be started.
  init(_ program: String, _ arguments: [String], running: Locked<pid_t?>) throws(ScanError) {
    var (sockets, pipe): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard linux_socket_pair(&sockets) == 0 else { throw Self.unavailable(program, errno) }
    defer { close(sockets[1]) }
    guard linux_pipe(&pipe) == 0 else {
      close(sockets[0])
      throw Self.unavailable(program, errno)
    }
    defer { close(pipe[1]) }
    // Make reading and writing the pipe of standard error never block.
    for end in pipe { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    do throws(SystemError) {
      child = try ChildProcess(
        program, arguments, input: .descriptor(sockets[1]), output: .nothing, errors: .descriptor(pipe[1]),
        // Swift's runtime would take seconds to write a backtrace that nobody reads.
        environment: ["SWIFT_BACKTRACE": "enable=no"], isApart: true)
    } catch {
      close(sockets[0])
      close(pipe[0])
      throw Self.unavailable(program, error.code)
    }
    (self.running, descriptors) = (running, [sockets[0], pipe[0]])
    channel = WorkerChannel(sockets[0], complaining: pipe[0])
    running.withLock { [child] in $0 = child.identifier }
  }

  deinit { if !isOver { _ = end(.closed, .zero) } }

  static func unavailable(_ program: String, _ code: Int32) -> ScanError {
    .unavailable(
      what: program, reason: String(cString: strerror(code)),
      remedy:
        "build or install it beside this program, and check that the system has memory for another process")
  }

  // MARK: Talking

  /// Sends the settings, and waits for the worker's first message.
  func greet(
    _ settings: WorkerMessage.Settings, within limit: Duration
  ) throws(Trouble) -> WorkerMessage.Hello {
    let deadline = MonotonicTime.now() + limit
    let hello = try conversing(limit) { (channel) throws(WorkerChannel.Failure) in
      try channel.send(.settings, (try? WorkerMessage.bytes(settings)) ?? [], by: deadline)
      let bytes = try channel.receive(.hello, by: deadline)
      guard let hello = WorkerMessage.read(bytes, as: WorkerMessage.Hello.self), hello.isSound else {
        throw WorkerChannel.Failure.garbled
      }
      return hello
    }
    if let error = hello.error { throw .told(error) }
    Log.scan.debug("recogniser \(child.identifier) is ready")
    return hello
  }

  /// Excludes the processor time that the worker reported when it started from the cost of the first photo.
  func forgetCost(of hello: WorkerMessage.Hello) { told = hello.processorSeconds }

  /// Asks the worker to read a photo.
  /// - Returns: the findings, and the processor time, seconds.
  func ask(
    _ question: RecognitionWorker.Question, within limit: Duration
  ) throws(Trouble) -> (PhotoFindings, Double) {
    number += 1
    let request = WorkerMessage.Request(
      number: number, level: question.level, reading: question.reading,
      withAppearances: question.withAppearances)
    let record: [UInt8]
    do { record = try WorkerMessage.bytes(request) } catch {
      let what = "the reading that was kept, which cannot be written as JSON"
      throw .told(.image(.unsupported(what: what, remedy: "name another file with --readings")))
    }
    let deadline = MonotonicTime.now() + limit
    let answer = try conversing(limit) { (channel) throws(WorkerChannel.Failure) in
      try channel.send(.request, record, by: deadline)
      try channel.send(.picture, question.picture, by: deadline)
      let bytes = try channel.receive(.answer, by: deadline)
      guard let answer = WorkerMessage.read(bytes, as: WorkerMessage.Answer.self), answer.isSound,
        answer.number == request.number
      else { throw WorkerChannel.Failure.garbled }
      return answer
    }
    let cost = max(answer.processorSeconds - told, 0)
    Log.scan.debug("photo \(number) took \(Int(cost * 1000)) ms of processor time")
    (told, isSpent) = (answer.processorSeconds, answer.isSpent)
    if let error = answer.error { throw .told(error) }
    guard let findings = answer.findings else { throw .ended(end(.garbled, limit)) }
    return (findings, cost)
  }

  /// Whether the process is ready for the next photo.
  var isIdle: Bool { !isOver && !isSpent && !channel.isDisturbed }

  private func conversing<Value>(
    _ limit: Duration, _ body: (inout WorkerChannel) throws(WorkerChannel.Failure) -> Value
  ) throws(Trouble) -> Value {
    do throws(WorkerChannel.Failure) { return try body(&channel) } catch { throw .ended(end(error, limit)) }
  }

  // MARK: The end of the process

  /// Ends the process and frees all its resources. If the process has died already, its exit status is kept.
  private func end(_ failure: WorkerChannel.Failure, _ limit: Duration) -> End {
    isOver = true
    running.withLock { if $0 == child.identifier { $0 = nil } }
    kill(-child.identifier, SIGKILL)
    child.send(SIGKILL)
    let end = child.wait()
    Log.scan.info(
      "recogniser \(child.identifier) ended: \(failure), signal \(end.signal), status \(end.status)")
    channel.hear()
    for descriptor in descriptors { close(descriptor) }
    let reasons = [
      Self.reason(failure, end.signal, status: end.status, limit), Self.lastLine(channel.complaints),
    ]
    return End(
      reason: reasons.filter { !$0.isEmpty }.joined(separator: ": "),
      isFromOutside: failure == .closed && [SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT].contains(end.signal),
      isLate: failure == .late,
      processorSeconds: max(end.processorSeconds - told, 0))
  }

  private static func reason(
    _ failure: WorkerChannel.Failure, _ signal: Int32, status: Int32, _ limit: Duration
  ) -> String {
    switch failure {
    case .late: "it took longer than \(seconds(limit)) seconds"
    case .garbled: "it sent an answer that cannot be read"
    case .closed where signal != 0: "signal \(signal), \(String(cString: strsignal(signal)))"
    case .closed: "it left with status \(status)"
    }
  }

  private static func seconds(_ limit: Duration) -> String {
    let seconds = limit.milliseconds / 1000
    return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
  }

  /// Returns the last line that the worker wrote to standard error, for a person: at most 160 printable characters.
  static func lastLine(_ bytes: [UInt8]) -> String {
    let line = bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }).last ?? []
    let words = line.last == UInt8(ascii: ".") ? line.dropLast() : line
    return String(decoding: words.filter { (32...126).contains($0) }.suffix(160), as: UTF8.self)
  }
}

/// The processor time of a process: user and system, all threads.
package enum ProcessorUse {
  package static var ofProcess: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return seconds(usage)
  }

  static func seconds(_ usage: rusage) -> Double {
    Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }
}

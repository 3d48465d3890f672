import CLinux
import Glibc
import Imagery
import System

/// The child process's side of a `RecognitionWorker`. `swiftwing-tool recognizer` runs it.
public enum RecognitionService {
  /// A function that reads photos, with its name and notes.
  public struct Reader {
    /// The name with its version.
    public var name: String
    /// Sentences for the user: each says what cannot be used.
    public var notes: [String]
    /// Reads a picture.
    public var read: Read

    /// Reads a picture: the bytes of a JPEG or PNG file. `reading` is the text in the picture, or nil if it was not read before.
    /// `withAppearances` asks for the appearance of each finding.
    public typealias Read = (
      _ picture: [UInt8], _ level: RecognitionLevel, _ reading: TextReading?, _ withAppearances: Bool
    ) throws(ScanError) -> PhotoFindings

    /// Creates a reader of your own, for a worker that is not `swiftwing-tool`.
    /// - Parameters:
    ///   - name: the reader's name with its version.
    ///   - notes: sentences for the user about what cannot be used. Default: none.
    ///   - read: reads one photo. It is called for one photo at a time, on one thread.
    public init(name: String, notes: [String] = [], read: @escaping Read) {
      (self.name, self.notes, self.read) = (name, notes, read)
    }

    /// Creates a reader that recognises text.
    public init(_ choice: RecognizerChoice) throws(ScanError) {
      let (recognizer, notes) = try choice.makeRecognizer()
      let scanner = BookScanner(recognizer: recognizer)
      self.init(name: recognizer.name, notes: notes) {
        (picture, level, reading, withAppearances) throws(ScanError) in
        try scanner.scan(picture, level: level, reading: reading, withAppearances: withAppearances)
      }
    }
  }

  /// Answers the photos that arrive through standard input, which must be a socket of a `RecognitionWorker`. Ends the process
  /// when the socket is closed, even in the middle of a photo.
  /// - Parameter make: creates the reader from the recogniser choice that the other process sends.
  public static func run(_ make: (RecognizerChoice) throws(ScanError) -> Reader) -> Never {
    signal(SIGPIPE, SIG_IGN)
    guard let descriptor = takeChannel() else {
      let advice = Array(
        "swiftwing: `recognizer` is started by other commands; run `swiftwing scan` instead\n".utf8)
      _ = write(STDERR_FILENO, advice, advice.count)
      exit(2)
    }
    endWithOther(descriptor)
    var channel = WorkerChannel(descriptor)
    // If the other side is gone, no error can be reported to it.
    try? serve(&channel, make)
    exit(0)
  }

  private static func serve(
    _ channel: inout WorkerChannel, _ make: (RecognizerChoice) throws(ScanError) -> Reader
  ) throws {
    let record = try channel.receive(.settings)
    guard let settings = WorkerMessage.read(record, as: WorkerMessage.Settings.self) else {
      throw WorkerChannel.Failure.garbled
    }
    _ = linux_limit_memory(settings.memoryLimit)
    let reader = Swift.Result { () throws(ScanError) in try make(settings.choice) }
    try channel.send(.hello, try WorkerMessage.bytes(hello(reader)))
    let ready = try reader.get()
    while true {
      let record = try channel.receive(.request)
      let picture = try channel.receive(.picture, limit: WorkerChannel.pictureLimit)
      guard let request = WorkerMessage.read(record, as: WorkerMessage.Request.self) else {
        throw WorkerChannel.Failure.garbled
      }
      var answer = answer(request, picture, ready)
      answer.isSpent = Int64(ProcessMemory.reserved) > settings.memoryLimit / 5 * 3
      try channel.send(.answer, try WorkerMessage.bytes(answer))
    }
  }

  private static func hello(_ reader: Swift.Result<Reader, ScanError>) -> WorkerMessage.Hello {
    let (ready, error): (Reader?, ScanError?)
    switch reader {
    case .success(let value): (ready, error) = (value, nil)
    case .failure(let failure): (ready, error) = (nil, failure)
    }
    return WorkerMessage.Hello(
      version: WorkerMessage.version, name: ready?.name ?? "", notes: ready?.notes ?? [], error: error,
      processorSeconds: ProcessorUse.ofProcess)
  }

  private static func answer(
    _ request: WorkerMessage.Request, _ picture: [UInt8], _ reader: Reader
  ) -> WorkerMessage.Answer {
    let (findings, error): (PhotoFindings?, ScanError?)
    do throws(ScanError) {
      findings = try reader.read(picture, request.level, request.reading, request.withAppearances)
      error = nil
    } catch let failure {
      (findings, error) = (nil, failure)
    }
    return WorkerMessage.Answer(
      number: request.number, findings: findings, error: error, processorSeconds: ProcessorUse.ofProcess)
  }

  /// Moves the socket away from standard input, so that libraries that read or print do not disturb it. Output of libraries on
  /// standard output is discarded.
  private static func takeChannel() -> Int32? {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
    let descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10)
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0, nothing >= 0 else { return nil }
    dup2(nothing, STDIN_FILENO)
    dup2(nothing, STDOUT_FILENO)
    close(nothing)
    return descriptor
  }

  /// Starts a thread that waits for the other side to close, because the main thread would not notice it while it reads a photo
  /// or hangs. `PR_SET_PDEATHSIG` does not suffice: its signal comes when the thread that started this process ends.
  private static func endWithOther(_ descriptor: Int32) {
    // If the thread cannot be started, everything else still works.
    try? NamedThread.start(name: "other side") {
      var waiting = pollfd(fd: descriptor, events: 0, revents: 0)
      while poll(&waiting, 1, -1) < 0 && errno == EINTR {}
      _exit(0)
    }
  }
}

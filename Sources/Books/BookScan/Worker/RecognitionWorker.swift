import Glibc
import Imagery
import System

/// Reads photos in a separate process, `swiftwing-tool recognizer`, one at a time. If a picture makes a C or C++ library fail an
/// assertion, crash or loop forever, only that process ends.
///
/// The process and its loaded models are kept for the next photo. A process that has ended is replaced at the next photo. A photo
/// is refused when it has ended as many processes as it has tries. If something else ends a process (`kill`, or the kernel when
/// memory runs out), that does not count as a try; at the tenth such end the photo is refused too.
///
/// ```swift
/// let worker = try RecognitionWorker()
/// let result = try worker.scan(bytes, level: .accurate)
/// for spine in result.findings.spines { print(spine.title, spine.author ?? "") }
/// ```
public final class RecognitionWorker: Sendable {
  /// The process that is started, and its limits. The defaults suit most programs.
  public struct Settings: Sendable {
    /// The recogniser to read with. By default the better of the recognisers that work.
    public var choice: RecognizerChoice
    /// The program to start. By default `swiftwing-tool` beside the running program.
    public var program: String
    /// The arguments without the name of the program. By default only `recognizer`.
    public var arguments: [String]
    /// The time limit of a photo. A photo of 100 megapixels took 14 s with a debug build.
    public var limit: Duration = .seconds(300)
    /// The time limit from the start of the process until it can read.
    public var startLimit: Duration = .seconds(60)
    /// The most bytes that the process may reserve. A photo of 100 megapixels takes 1.7 GB with OpenVINO and its models.
    /// Libraries keep what they prepared for each picture size. So if a process holds more than three fifths of the limit after a
    /// photo, it is replaced.
    public var memoryLimit: Int64 = 5 << 30

    private static let program = RunningProgram.sibling("swiftwing-tool")

    /// Creates settings.
    /// - Parameters:
    ///   - program: a program that calls `RecognitionService.run`. A `swiftwing-tool` elsewhere also needs `recognizer` as its
    ///     first argument.
    ///   - arguments: the arguments of the program. If `program` is nil, they follow the argument `recognizer`.
    public init(
      choice: RecognizerChoice = RecognizerChoice(), program: String? = nil, arguments: [String] = []
    ) {
      self.choice = choice
      self.program = program ?? Self.program
      self.arguments = (program == nil ? ["recognizer"] : []) + arguments
    }
  }

  /// The findings in a photo, and their cost.
  public struct Result: Sendable {
    /// The findings in the photo.
    public var findings: PhotoFindings
    /// The processor time of the worker, user and system, of all threads, including that of processes that the photo ended.
    public var processorSeconds: Double
    /// The number of processes that ended while they had the photo.
    public var losses: Int
  }

  struct Question {
    var picture: [UInt8]
    var level: RecognitionLevel
    var reading: TextReading?
    var withAppearances: Bool
  }

  /// The recogniser with its version.
  public let name: String
  /// Sentences for the user: each says what cannot be used, and the remedy.
  public let notes: [String]
  private let settings: Settings
  private let process: Locked<WorkerProcess?>
  private let running = Locked<pid_t?>(nil)
  private let replacements = Locked<[Duration]>([])

  /// Starts the first process and waits until it can read, about half a second.
  /// - Throws: `unavailable` if the process cannot be started, or if no recogniser works.
  public init(_ settings: Settings = Settings()) throws(ScanError) {
    self.settings = settings
    var losses = Losses()
    let (started, hello) = try Self.start(settings, running, &losses)
    started.forgetCost(of: hello)
    (name, notes) = (hello.name, hello.notes)
    process = Locked<WorkerProcess?>(started)
  }

  /// Reads one photo. Blocks until it is read or has failed.
  /// - Parameters:
  ///   - picture: a JPEG or PNG file of at most 256 MB.
  ///   - reading: the text that was read in the picture before. If given, the picture is not read again; only the books are
  ///     looked for.
  ///   - tries: the number of processes that the photo may end before it is refused, at least 1.
  ///   - withAppearances: whether the findings tell the appearance of each record. The process has the decoded photo anyway.
  /// - Throws: `ended` for a photo that is refused; `unavailable` if no process can be started; the errors of reading.
  public func scan(
    _ picture: [UInt8], level: RecognitionLevel, reading: TextReading? = nil, tries: Int = 2,
    withAppearances: Bool = false
  ) throws(ScanError) -> Result {
    guard picture.count <= WorkerChannel.pictureLimit else {
      throw .image(.tooLarge(what: "a picture of \(picture.count) bytes", limit: "256 MB"))
    }
    let question = Question(
      picture: picture, level: level, reading: reading, withAppearances: withAppearances)
    return try process.withLock { (process) throws(ScanError) in
      try ask(question, of: &process, tries: max(tries, 1))
    }
  }

  private func ask(
    _ question: Question, of process: inout WorkerProcess?, tries: Int
  ) throws(ScanError) -> Result {
    var losses = Losses()
    while true {
      do throws(WorkerProcess.Trouble) {
        let worker = try ready(&process, &losses)
        let (findings, cost) = try worker.ask(question, within: settings.limit)
        return Result(
          findings: findings, processorSeconds: cost + losses.processorSeconds, losses: losses.count)
      } catch {
        switch error {
        case .told(let error): throw error
        case .ended(let end):
          process = nil
          try losses.add(end, tries: tries)
        }
      }
    }
  }

  /// Returns the running process, or starts the next one.
  private func ready(
    _ process: inout WorkerProcess?, _ losses: inout Losses
  ) throws(WorkerProcess.Trouble) -> WorkerProcess {
    if let process, process.isIdle { return process }
    process = nil
    let began = MonotonicTime.now()
    do throws(ScanError) {
      let (started, _) = try Self.start(settings, running, &losses)
      replacements.withLock { $0 = $0.suffix(999) + [MonotonicTime.now() - began] }
      process = started
      return started
    } catch {
      throw .told(error)
    }
  }

  private static func start(
    _ settings: Settings, _ running: Locked<pid_t?>, _ losses: inout Losses
  ) throws(ScanError) -> (WorkerProcess, WorkerMessage.Hello) {
    let terms = WorkerMessage.Settings(choice: settings.choice, memoryLimit: settings.memoryLimit)
    while true {
      let process = try WorkerProcess(settings.program, settings.arguments, running: running)
      do throws(WorkerProcess.Trouble) {
        return (process, try process.greet(terms, within: settings.startLimit))
      } catch {
        switch error {
        case .told(let error): throw error
        case .ended(let end):
          guard end.isFromOutside, losses.hasRoom else {
            throw .unavailable(
              what: settings.program, reason: "it could not be started: \(end.reason)",
              remedy: Self.remedy(end))
          }
          losses.note(end)
        }
      }
    }
  }

  /// Returns the remedy for a process that ended before it could read.
  private static func remedy(_ end: WorkerProcess.End) -> String {
    if end.isLate { return "try again when other programs keep the machine less busy" }
    return end.isFromOutside
      ? "find out what ends it, such as a lack of memory, and try again"
      : "install SwiftWing again, or run `make build`; fetch the models with `swiftwing models`"
  }

  // MARK: For trials

  /// Kills the running process, as `kill -9` would. Returns whether there was one.
  package func killProcess() -> Bool { running.withLock { $0.map { kill($0, SIGKILL) == 0 } ?? false } }

  /// The identifier of the running process; nil while there is none.
  package var processIdentifier: Int32? { running.withLock { $0 } }

  /// The start-up durations of the latest 1,000 replacement processes, each from its launch until it could read.
  package var replacementTimes: [Duration] { replacements.withLock { $0 } }
}

/// The number of processes that ended while they had one photo.
private struct Losses {
  /// The photo is refused when this many processes were ended from outside.
  private static let patience = 10

  private(set) var count = 0
  private(set) var processorSeconds = 0.0
  private var fromOutside = 0

  /// Whether one more process may be ended from outside.
  var hasRoom: Bool { fromOutside + 1 < Self.patience }

  mutating func note(_ end: WorkerProcess.End) {
    count += 1
    fromOutside += end.isFromOutside ? 1 : 0
    processorSeconds += end.processorSeconds
  }

  /// Counts the end of a process.
  /// - Throws: `ended` if the photo is refused.
  mutating func add(_ end: WorkerProcess.End, tries: Int) throws(ScanError) {
    note(end)
    guard count - fromOutside < tries, fromOutside < Self.patience else {
      throw .ended(workers: count, reason: end.reason)
    }
  }
}

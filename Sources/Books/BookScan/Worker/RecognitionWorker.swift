import Glibc
import Imagery
import System

/// Reads photos in a process of its own, `swiftwing-tool recognizer`, one at a time: what a picture does to a library of C or C++,
/// an assertion, a crash, a loop without an end, ends that process and nothing else.
///
/// The process stays, with its models loaded; one that has ended is replaced at the next photo. A photo that ends as many
/// processes as it has tries is refused. Processes that somebody else ends (`kill`, the kernel for want of memory) cost the photo
/// no try until there were ten.
///
/// ```swift
/// let worker = try RecognitionWorker()
/// let result = try worker.scan(bytes, level: .accurate)
/// for spine in result.findings.spines { print(spine.title, spine.author ?? "") }
/// ```
public final class RecognitionWorker: Sendable {
  /// What the process is, and what it may take. You need not change any of it.
  public struct Settings: Sendable {
    /// What it reads with. By default the better recogniser that works.
    public var choice: RecognizerChoice
    /// The program, and what it is called with; `swiftwing-tool recognizer` beside the program that runs.
    public var program: String
    /// Without the name of the program: `recognizer` and no others by default.
    public var arguments: [String]
    /// How long a photo may take. One of 100 megapixels took 14 s with a debug build.
    public var limit: Duration = .seconds(300)
    /// How long it may take until it can read.
    public var startLimit: Duration = .seconds(60)
    /// Most bytes it may reserve. A photo of 100 megapixels takes 1.7 GB with OpenVINO and its models. Libraries keep what they
    /// prepared for each size of picture: a process that holds three fifths of this after a photo is replaced.
    public var memoryLimit: Int64 = 5 << 30

    private static let program = RunningProgram.sibling("swiftwing-tool")

    /// - Parameters:
    ///   - program: what calls `RecognitionService.run`. A `swiftwing-tool` elsewhere also needs `recognizer` as its first argument.
    ///   - arguments: what the program is called with, after `recognizer` where no program is named.
    public init(
      choice: RecognizerChoice = RecognizerChoice(), program: String? = nil, arguments: [String] = []
    ) {
      self.choice = choice
      self.program = program ?? Self.program
      self.arguments = (program == nil ? ["recognizer"] : []) + arguments
    }
  }

  /// What a photo held, and what it cost.
  public struct Result: Sendable {
    /// What the photo held.
    public var findings: PhotoFindings
    /// Of the worker, all its threads, user and system, with those of processes that the photo ended.
    public var processorSeconds: Double
    /// Processes that ended while they had the photo.
    public var losses: Int
  }

  struct Question {
    var picture: [UInt8]
    var level: RecognitionLevel
    var reading: TextReading?
  }

  /// What reads, with its version.
  public let name: String
  /// Sentences for the user about what cannot be used, and the remedy.
  public let notes: [String]
  private let settings: Settings
  private let process: Locked<WorkerProcess?>
  private let running = Locked<pid_t?>(nil)
  private let replacements = Locked<[Duration]>([])

  /// Starts the first process and waits until it can read, about half a second.
  /// - Throws: `unavailable` when it cannot be started, or nothing can be read with.
  public init(_ settings: Settings = Settings()) throws(ScanError) {
    self.settings = settings
    var losses = Losses()
    let (started, hello) = try Self.start(settings, running, &losses)
    started.forgetCost(of: hello)
    (name, notes) = (hello.name, hello.notes)
    process = Locked<WorkerProcess?>(started)
  }

  /// Blocks until the photo is read, or cannot be.
  /// - Parameters:
  ///   - picture: a JPEG or PNG file of at most 256 MB.
  ///   - reading: what was read in it before; then only the books are looked for.
  ///   - tries: processes that it may end before it is refused, at least 1.
  /// - Throws: `ended` for a photo that is refused; `unavailable` when no process can be started; what reading throws.
  public func scan(
    _ picture: [UInt8], level: RecognitionLevel, reading: TextReading? = nil, tries: Int = 2
  ) throws(ScanError) -> Result {
    guard picture.count <= WorkerChannel.pictureLimit else {
      throw .image(.tooLarge(what: "a picture of \(picture.count) bytes", limit: "256 MB"))
    }
    let question = Question(picture: picture, level: level, reading: reading)
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

  /// The process, or the next one.
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
              what: settings.program, reason: "it ended while starting: \(end.reason)",
              remedy: "run `make build` again, and `make models`")
          }
          losses.note(end)
        }
      }
    }
  }

  // MARK: For trials

  /// Ends the process that there is, as `kill -9` would; whether there was one.
  package func killProcess() -> Bool { running.withLock { $0.map { kill($0, SIGKILL) == 0 } ?? false } }

  /// The process's number; nil while there is none.
  package var processIdentifier: Int32? { running.withLock { $0 } }

  /// How long it took until the next process could read, of the latest 1,000.
  package var replacementTimes: [Duration] { replacements.withLock { $0 } }
}

/// The processes that ended over one photo.
private struct Losses {
  /// As many may be ended by somebody else.
  private static let patience = 10

  private(set) var count = 0
  private(set) var processorSeconds = 0.0
  private var fromOutside = 0

  /// Whether one more may be ended by somebody else.
  var hasRoom: Bool { fromOutside + 1 < Self.patience }

  mutating func note(_ end: WorkerProcess.End) {
    count += 1
    fromOutside += end.isFromOutside ? 1 : 0
    processorSeconds += end.processorSeconds
  }

  /// - Throws: `ended` when there is to be no further try.
  mutating func add(_ end: WorkerProcess.End, tries: Int) throws(ScanError) {
    note(end)
    guard count - fromOutside < tries, fromOutside < Self.patience else {
      throw .ended(workers: count, reason: end.reason)
    }
  }
}

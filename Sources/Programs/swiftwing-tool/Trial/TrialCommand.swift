public import ArgumentParser
import Console
import EngineScenarios
import Harness
public import Probes
import Trials

/// The trials that the bench runs in a separate process: killed delivery, a full disk, a long queue, a large library, recordings,
/// scans against the reference backend, and counted paths. Each trial prints one JSON document, which a scenario judges. Not a
/// command for users, so the help does not list it.
struct TrialCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trial", abstract: "Try delivery under kills, on a full disk, and at scale.",
    shouldDisplay: false,
    subcommands: [
      CrashCommand.self, SearchCommand.self, DrainCommand.self, ProtocolCommand.self,
      StationTrialCommand.self, RecognitionTrialCommand.self, FrontierTrialCommand.self, VictimCommand.self,
      ServeCommand.self, FilmCommand.self, FilmingCommand.self, CountedCommand.self,
    ])
}

extension InjectedFault: ExpressibleByArgument {
  public init?(argument: String) { self.init(name: argument) }
}

/// The options of every trial that works in a folder.
struct TrialOptions: ParsableArguments {
  @Option(help: "Break something on purpose, as `bench --fault` does.") var fault: InjectedFault?
  @Argument(help: "An empty folder.") var folder: String
}

struct CrashCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crash", abstract: "Kill a scanning process again and again, then count what is left.")

  @Option(help: "How often to kill it.") var kills = 50
  @Option(help: "Seed of the moments of the kills.") var seed: UInt64 = 1
  @Flag(help: "Fill up the folder's disk, which must be small, and free it, again and again.") var fill =
    false
  @Flag(help: "Let the process find the books itself, at once, in place of the backend.") var atOnce = false
  @Flag(help: "Throw an accepted scan away and leave an image behind, to see that they are counted.")
  var spoil = false
  @OptionGroup var options: TrialOptions

  func run() async throws {
    let trial = CrashTrial(
      directory: options.folder, kills: kills, seed: seed, fillsDisk: fill, spoils: spoil, findsAtOnce: atOnce
    )
    let outcome = try await trial.run()
    try Terminal.say(line: outcome)
    guard outcome.isClean else { throw ExitCode(.failed) }
  }
}

struct SearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Import many books and time searches of each kind.")

  @Option(help: "How many books.") var books = 50_000
  @Option(help: "Searches of each kind.") var searches = 200
  @Option(help: "Milliseconds by which each search is delayed, to see that they are timed.") var delay = 0
  @OptionGroup var options: TrialOptions

  func run() async throws {
    try Terminal.say(
      line: try await SearchTrial(directory: options.folder, books: books, searches: searches, delay: delay)
        .run())
  }
}

struct DrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drain",
    abstract: "Queue many scans and deliver them to the reference backend on this machine.")

  @Option(help: "How many scans.") var scans = 2_000
  @Option(help: "Scans in each part that is timed.") var part = 500
  @Option(help: "Milliseconds by which each part is slower than the one before, to check that it is noticed.")
  var slowing = 0
  @OptionGroup var options: TrialOptions

  func run() async throws {
    try Terminal.say(
      line: try await DrainTrial(directory: options.folder, scans: scans, part: part, slowing: slowing).run())
  }
}

/// The process that is killed.
struct VictimCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "victim", shouldDisplay: false)
  @Argument var folder: String
  @Argument var server: String?

  func run() async throws { try await ScanningProcess(directory: folder, server: server).run() }
}

/// The backend of a drain trial.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "serve", shouldDisplay: false)

  func run() throws { try DrainBackend.serve() }
}

import ArgumentParser
import Console
import Foundation

/// Tries delivery where it is hardest: killed at random moments, on a full disk, with a long queue and a large library. Each
/// trial prints one JSON document; `swiftwing bench --suite delivery` and `scripts/prove-delivery` judge it.
@main struct SwiftwingTrial: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swiftwing-trial", abstract: "Try delivery under kills, on a full disk, and at scale.",
    subcommands: [
      CrashCommand.self, SearchCommand.self, DrainCommand.self, ProtocolCommand.self, ScanCommand.self,
      ServeCommand.self,
    ])

  /// What is said of arguments and errors is made safe for a terminal.
  static func main() async {
    do {
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      let status = exitCode(for: error)
      let message = fullMessage(for: error)
      if status == .success { Terminal.say(message) } else if !message.isEmpty { Terminal.tell(message) }
      Foundation.exit(status.rawValue)
    }
  }
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
  @Argument(help: "An empty folder.") var folder: String

  func run() async throws {
    let trial = CrashTrial(
      directory: folder, kills: kills, seed: seed, fillsDisk: fill, spoils: spoil, findsAtOnce: atOnce)
    let outcome = try await trial.run()
    try Document.say(outcome)
    throw outcome.isClean ? ExitCode.success : ExitCode(1)
  }
}

struct SearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Import many books and time searches of each kind.")

  @Option(help: "How many books.") var books = 50_000
  @Option(help: "Searches of each kind.") var searches = 200
  @Option(help: "Milliseconds by which each search is delayed, to see that they are timed.") var delay = 0
  @Argument(help: "An empty folder.") var folder: String

  func run() async throws {
    try Document.say(
      try await SearchTrial(directory: folder, books: books, searches: searches, delay: delay).run())
  }
}

struct DrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drain",
    abstract: "Queue many scans and deliver them to the reference backend on this machine.")

  @Option(help: "How many scans.") var scans = 2_000
  @Option(help: "Scans in each part that is timed.") var part = 500
  @Option(help: "Milliseconds by which each part is slower than the one before, to see that it is noticed.")
  var slowing = 0
  @Argument(help: "An empty folder.") var folder: String

  func run() async throws {
    try Document.say(
      try await DrainTrial(directory: folder, scans: scans, part: part, slowing: slowing).run())
  }
}

/// The process that is killed.
struct ScanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "scan", shouldDisplay: false)
  @Argument var folder: String
  @Argument var server: String?

  func run() async throws { try await ScanningProcess(directory: folder, server: server).run() }
}

enum Document {
  static func say(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    FileHandle.standardOutput.write(try encoder.encode(value) + Data("\n".utf8))
  }
}

import ArgumentParser
import Console
import Foundation
import Library
import Uploads

struct LibraryCovers: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "covers", abstract: "Fetch the covers of all books that have a cover's address.",
    usage: """
      swiftwing library covers [--library PATH] [--cache DIR] [--size MB]
                               [--json]
      """,
    discussion: """
      Covers are kept in $XDG_CACHE_HOME/swiftwing/covers. Beyond --size, those unused for longest are deleted. A cover that \
      cannot be fetched is reported on standard error, and the others are still fetched.
      """)

  @OptionGroup var place: LibraryPlace
  @Option(help: ArgumentHelp("Folder to keep the covers in.", valueName: "DIR")) var cache: String?
  @Option(help: ArgumentHelp("Most megabytes that all covers together may take.", valueName: "MB")) var size =
    256
  @Flag(help: "Print JSON.") var json = false

  struct Outcome: Encodable {
    var fetched = 0
    /// The number of covers that were on disk already.
    var kept = 0
    var failed = 0
    var bytes = 0
  }

  func validate() throws {
    guard (1...1_000_000).contains(size) else {
      throw ValidationError("--size must be 1 to 1000000 megabytes, not \(size)")
    }
  }

  func run() async throws {
    let library = try place.open().library
    let environment = ProcessInfo.processInfo.environment
    let covers = try CoverCache(
      directory: try cache ?? CoverCache.standardDirectory(environment),
      limits: CoverCache.Limits(total: size << 20), transport: .publicHosts(environment))
    let outcome = try await Interrupts.cancelling { try await Self.fetch(library, covers) }
    Terminal.progress("")
    if json { return try Terminal.say(json: outcome) }
    Terminal.say(
      "\(outcome.fetched) fetched, \(outcome.kept) there already, \(outcome.failed) failed; "
        + "\(outcome.bytes / 1_000_000) MB in all")
  }

  private static func fetch(_ library: Library, _ covers: CoverCache) async throws -> Outcome {
    var (outcome, last) = (Outcome(), Int64(0))
    while case let page = try await library.coverAddresses(after: last, limit: 200), let end = page.last {
      for (_, address) in page {
        try Task.checkCancellation()
        if await covers.holds(address) {
          outcome.kept += 1
        } else {
          await fetch(address, covers, outcome: &outcome)
        }
        Terminal.progress("\(outcome.fetched) fetched, \(outcome.failed) failed")
      }
      last = end.id
    }
    outcome.bytes = await covers.size()
    return outcome
  }

  private static func fetch(_ address: String, _ covers: CoverCache, outcome: inout Outcome) async {
    do throws(DeliveryError) {
      _ = try await covers.cover(at: address)
      outcome.fetched += 1
    } catch {
      outcome.failed += 1
      Terminal.tell("swiftwing: \(error)")
    }
  }
}

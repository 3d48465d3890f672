import ArgumentParser
import Console
import Delivery
import Foundation

struct LibraryCovers: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "covers", abstract: "Fetch the covers of the books that have an address for one.",
    usage: """
      swiftwing library covers [--library PATH] [--cache DIR] [--size MB]
                               [--json]
      """,
    discussion: """
      They are kept in $XDG_CACHE_HOME/swiftwing/covers within --size; the ones unused for longest go first. A cover that \
      does not come is told on standard error, and the rest go on.
      """)

  @OptionGroup var place: LibraryPlace
  @Option(help: ArgumentHelp("The folder to keep them in.", valueName: "DIR")) var cache: String?
  @Option(help: ArgumentHelp("Most megabytes of all covers.", valueName: "MB")) var size = 256
  @Flag(help: "Print JSON.") var json = false

  struct Outcome: Encodable {
    var fetched = 0
    /// On disk already.
    var kept = 0
    var failed = 0
    var bytes = 0
  }

  func validate() throws {
    guard (1...1_000_000).contains(size) else { throw ValidationError("--size is 1 to 1000000") }
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
        if await covers.holds(address) { outcome.kept += 1 } else { await fetch(address, covers, &outcome) }
        Terminal.progress("\(outcome.fetched) fetched, \(outcome.failed) failed")
      }
      last = end.id
    }
    outcome.bytes = await covers.size()
    return outcome
  }

  private static func fetch(_ address: String, _ covers: CoverCache, _ outcome: inout Outcome) async {
    do throws(DeliveryError) {
      _ = try await covers.cover(at: address)
      outcome.fetched += 1
    } catch {
      outcome.failed += 1
      Terminal.tell("swiftwing: \(error)")
    }
  }
}

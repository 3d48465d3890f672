import ArgumentParser
import Console
import Foundation
import Library
import Uploads

struct QueueList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the scans in the queue, oldest first, and why each is still there.")

  @OptionGroup var place: LibraryPlace
  @Option(help: ArgumentHelp("List at most this many scans.", valueName: "N")) var limit = 100
  @Flag(help: "Print JSON.") var json = false

  func validate() throws {
    guard (0...1_000_000).contains(limit) else {
      throw ValidationError("--limit must be 0 to 1000000, not \(limit)")
    }
  }

  func run() async throws {
    let queue = try place.open().queue
    let time = try await queue.time()
    // A wait beyond the longest pause comes from a wrong wall clock. The next scan limits it.
    let latest = time.now + RetryPolicy().longestPause
    let wall = { (date: Date) in time.wall(min(date, latest)) }
    let document = QueueDocument(
      counts: try await queue.counts(), pausedUntil: try await queue.pause(at: time.now).map(wall),
      scans: try await queue.scans(limit: limit), wall: wall)
    if json { return try Terminal.say(json: document) }
    for line in document.lines(now: Date(), columns: PlainText.outputColumns) { Terminal.say(line) }
  }
}

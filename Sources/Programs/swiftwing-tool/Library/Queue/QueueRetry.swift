import ArgumentParser
import Console
import Library

struct QueueRetry: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "Try failed scans again: all, or those named.",
    discussion: "They are tried at once if a scan is running, otherwise by the next scan.")

  @Argument(help: ArgumentHelp("Keys of scans, as `queue list` shows them.", valueName: "KEY")) var keys:
    [ScanKey] =
      []
  @OptionGroup var place: LibraryPlace
  @Flag(help: "Print JSON.") var json = false

  func run() async throws {
    let queue = try place.open().queue
    var retried = 0
    if keys.isEmpty { retried = try await queue.retry() }
    for key in keys.unique {
      guard try await queue.retry([key.uuid]) == 1 else {
        throw try key.unknown("retry", "it is not among the failed scans", in: place)
      }
      retried += 1
    }
    if json { return try Terminal.say(json: ["retried": retried]) }
    Terminal.say(retried == 1 ? "1 scan is tried again" : "\(retried) scans are tried again")
  }
}

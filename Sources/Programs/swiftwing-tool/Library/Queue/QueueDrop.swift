import ArgumentParser
import Console
import Library

struct QueueDrop: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop", abstract: "Remove scans from the queue and delete their images.",
    usage: """
      swiftwing queue drop (KEY... | --failed | --all) [--library PATH]
                           [--json]
      """)

  @Argument(help: ArgumentHelp("Keys of scans, as `queue list` shows them.", valueName: "KEY")) var keys:
    [ScanKey] =
      []
  @Flag(help: "Drop every failed scan.") var failed = false
  @Flag(help: "Drop every scan.") var all = false
  @OptionGroup var place: LibraryPlace
  @Flag(help: "Print JSON.") var json = false

  func validate() throws {
    guard [!keys.isEmpty, failed, all].count(where: \.self) == 1 else {
      throw ValidationError("name the scans, or give --failed or --all")
    }
  }

  func run() async throws {
    let queue = try place.open().queue
    var dropped = 0
    for key in keys.unique {
      guard try await queue.drop(key.uuid) else {
        throw try key.unknown("drop", "there is no such scan in the queue", in: place)
      }
      dropped += 1
    }
    if failed || all { dropped = try await dropMany(queue) }
    if json { return try Terminal.say(json: ["dropped": dropped]) }
    Terminal.say(dropped == 1 ? "1 scan dropped" : "\(dropped) scans dropped")
  }

  private func dropMany(_ queue: ScanQueue) async throws -> Int {
    var (last, dropped) = (Int64(0), 0)
    while true {
      let scans = try await queue.scans(after: last, limit: 500)
      guard let end = scans.last else { return dropped }
      for scan in scans where all || scan.state == .failed {
        if try await queue.drop(scan.key) { dropped += 1 }
      }
      last = end.id
    }
  }
}

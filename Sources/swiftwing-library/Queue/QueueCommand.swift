import ArgumentParser

struct QueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", abstract: "Scans on their way to the library.",
    subcommands: [QueueList.self, QueueRetry.self, QueueDrop.self])
}

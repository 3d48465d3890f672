import ArgumentParser

struct QueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", abstract: "List, retry or drop scans that wait for delivery.",
    subcommands: [QueueList.self, QueueRetry.self, QueueDrop.self])
}

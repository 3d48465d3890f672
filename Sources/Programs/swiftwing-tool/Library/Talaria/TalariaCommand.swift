import ArgumentParser

struct TalariaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "talaria", abstract: "Run the reference backend, to try scanning with.",
    subcommands: [TalariaServe.self])
}

import ArgumentParser

struct TalariaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "talaria", abstract: "The reference backend.", subcommands: [TalariaServe.self])
}

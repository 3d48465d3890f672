public import ArgumentParser
import Console
import Probes
import Trials

struct ProtocolCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "protocol", abstract: "Deliver scans to a backend that notes every request.")

  @Option(help: "Let the client make this mistake, to check that it is noticed.") var mistake:
    ProtocolMistake?
  @Argument(help: "An empty folder.") var folder: String

  func run() async throws {
    try Terminal.say(line: try await ProtocolTrial(directory: folder, mistake: mistake).run())
  }
}

extension ProtocolMistake: ExpressibleByArgument {}

import ArgumentParser
import Console
import Probes
import Trials

struct ProtocolCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "protocol", abstract: "Deliver scans to a backend that notes every request.")

  @OptionGroup var options: TrialOptions

  func run() async throws {
    let trial = ProtocolTrial(directory: options.folder, mistake: options.fault?.mistake)
    try Terminal.say(line: try await trial.run())
  }
}

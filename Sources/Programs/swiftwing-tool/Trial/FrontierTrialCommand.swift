import ArgumentParser
import BookScan
import Console
import EngineScenarios
import Imagery
import Trials

/// The trial of the bench's scenario `photo.frontier`. Prints one JSON object.
struct FrontierTrialCommand: AsyncParsableCommand, RepeatsOptions {
  static let repeatedOptions: Set = ["--still"]
  static let configuration = CommandConfiguration(
    commandName: "frontier", abstract: "Read stills at every size, and print what each costs and keeps.")

  @Option(help: "The corpus of the stills.") var corpus = "stills-12mp"
  @Option(help: "How many stills, evenly over the corpus; not with --still.") var stills = 1
  @Option(help: "A still by the name of its file; may be repeated.") var still: [String] = []
  @Option(help: "The share of the words that the size chosen must keep, in percent.") var share = 98.0
  @OptionGroup var options: RecognitionOptions

  func run() async throws {
    do { try Terminal.say(line: try outcome()) } catch ScanError.unavailable {
      throw ExitCode(ScanTrialProgram.withoutReader)
    }
  }

  private func outcome() throws -> FrontierTrial.Outcome {
    let reader = LegibilityReader(worker: try options.makeWorker(), level: options.level)
    let goal = LegibilityGoal(profile: try TokenProfiles.named(nil), share: share / 100)
    let trial = FrontierTrial(reader, profiles: try TokenProfiles.known(), goal: goal)
    return try trial.outcome(corpus, stills: stills, named: still)
  }
}

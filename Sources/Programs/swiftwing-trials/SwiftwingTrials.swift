import ArgumentParser
import Console
import Glibc

/// The trials that `scripts/prove-*`, `scripts/calibrate` and the tests run. They damage libraries, kill recognisers and scans,
/// make long recordings, and replay the gate. No installed program needs this one.
@main enum SwiftwingTrials {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == ScriptedReader.argument { ScriptedReader.run() }
    signal(SIGPIPE, SIG_IGN)
    signal(SIGCHLD, SIG_DFL)
    do {
      var command = try TrialsCommands.parseAsRoot(Array(arguments))
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      let text = TrialsCommands.fullMessage(for: error)
      let code = TrialsCommands.exitCode(for: error)
      if !text.isEmpty { code.isSuccess ? Terminal.say(text) : Terminal.tell(text) }
      exit(code.rawValue)
    }
  }
}

struct TrialsCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swiftwing-trials", abstract: "Damage, kill and replay, to prove what must not be lost.",
    subcommands: [
      DamageCommand.self, WorkerTrialCommand.self, PhotographTrialCommand.self,
      PhotographVictimCommand.self, LongCorpusCommand.self, GateTrialCommand.self, PicturesCommand.self,
      SlicesCommand.self,
    ])
}

import ArgumentParser
import Counting
import Probes

extension CountedWork.Subject: ExpressibleByArgument {}

/// The work of `bench --count`, in a process that callgrind runs, or by itself to count copies. Not a command for users, so the help does not list it.
struct CountedCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "counted", abstract: "Do the work of paths that are counted.", shouldDisplay: false)

  @Option(help: "Break the engine on purpose.") var fault: InjectedFault?
  @Option(help: "Count this.") var counting: CountedWork.Subject = .instructions
  @Argument(help: "The ids of the paths.") var paths: [String]

  func run() async throws {
    let chosen = try paths.map { id in
      guard let path = CountedPath.named(id) else { throw ValidationError("there is no counted path \(id)") }
      return path
    }
    try await CountedWork.perform(chosen, Rig(fault: fault, viewfinder: ""), counting: counting)
  }
}

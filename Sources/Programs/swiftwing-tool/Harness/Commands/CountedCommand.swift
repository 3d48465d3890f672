import ArgumentParser
import Counting
import Probes

/// The work of `bench --count`, in a process that callgrind runs. Not a command for users, so the help does not list it.
struct CountedCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "counted", abstract: "Do the work of paths that are counted.", shouldDisplay: false)

  @Option(help: "Break the engine on purpose.") var fault: InjectedFault?
  @Argument(help: "The ids of the paths.") var paths: [String]

  func run() async throws {
    let chosen = try paths.map { id in
      guard let path = CountedPath.named(id) else { throw ValidationError("there is no counted path \(id)") }
      return path
    }
    try await CountedWork.perform(chosen, Rig(fault: fault, viewfinder: ""))
  }
}

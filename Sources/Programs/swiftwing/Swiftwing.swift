import Glibc
import System

/// The command that users type. It shows the viewfinder itself, which takes about a millisecond to start; for all other commands it is replaced
/// by an executable in the same folder.
@main enum Swiftwing {
  static func main() {
    StandardStreams.holdClosed()
    StandardStreams.demandRoom()
    let arguments = RunningProgram.demandArguments()
    if arguments.first == "view", !isForTool(arguments) {
      // No output is buffered, and running the exit handlers of all linked libraries would take a millisecond or more.
      _exit(ViewCommand.run(Array(arguments.dropFirst())))
    }
    if arguments.first == "bench" || arguments.first == "qualify" { blockInterrupts() }
    exit(Sibling.tool.replaceProcess(arguments))
  }

  /// Whether the tool must run the command: help, and the viewfinder for a browser, whose code would make this program larger.
  private static func isForTool(_ arguments: [String]) -> Bool {
    arguments.contains { word in
      word == "--help" || word == "-h" || word == "--serve" || word.utf8.starts(with: "--serve=".utf8)
    }
  }

  /// Blocks ^C while the tool is loaded. The tool unblocks it once it can end with a report.
  private static func blockInterrupts() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    sigprocmask(SIG_BLOCK, &signals, nil)
  }
}

import Glibc
import System

/// The command that users type. It shows the viewfinder itself, in about a millisecond; everything else lives in an
/// executable beside it, which takes its place.
@main enum Swiftwing {
  static func main() {
    StandardStreams.holdClosed()
    StandardStreams.demandRoom()
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "view", !isForTool(arguments) {
      // Nothing is buffered; running the exit handlers of everything linked in would cost a millisecond or more.
      _exit(ViewCommand.run(Array(arguments.dropFirst())))
    }
    if arguments.first == "bench" || arguments.first == "qualify" { blockInterrupts() }
    exit(Sibling.tool.replaceProcess(arguments))
  }

  /// Help, and the viewfinder for a browser: what they need would make this program larger.
  private static func isForTool(_ arguments: [String]) -> Bool {
    arguments.contains { word in
      word == "--help" || word == "-h" || word == "--serve" || word.utf8.starts(with: "--serve=".utf8)
    }
  }

  /// Holds ^C back while the tool is being loaded. The tool lets it through once it can end with a report.
  private static func blockInterrupts() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    sigprocmask(SIG_BLOCK, &signals, nil)
  }
}

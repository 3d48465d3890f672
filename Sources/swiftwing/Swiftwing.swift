import Glibc

/// The command that users type. It shows the viewfinder itself, in about a millisecond; everything else lives in sibling
/// executables beside it, which take its place.
@main enum Swiftwing {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "view", !arguments.contains("--help"), !arguments.contains("-h") {
      // Nothing is buffered; running the exit handlers of everything linked in would cost a millisecond or more.
      _exit(ViewCommand.run(Array(arguments.dropFirst())))
    }
    if arguments.first == "scan" { exit(Sibling.scan.replaceProcess(Array(arguments.dropFirst()))) }
    if let command = arguments.first, ["queue", "library", "talaria"].contains(command) {
      exit(Sibling.library.replaceProcess(arguments))
    }
    if arguments.first == "bench" || arguments.first == "qualify" { blockInterrupts() }
    exit(Sibling.harness.replaceProcess(arguments))
  }

  /// A ^C while the harness is loaded waits until the harness can end with a report; it lets them through again.
  private static func blockInterrupts() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    sigprocmask(SIG_BLOCK, &signals, nil)
  }
}

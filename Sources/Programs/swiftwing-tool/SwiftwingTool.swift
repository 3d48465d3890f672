import Console
import Glibc
import System

/// Everything that `swiftwing` does, but for the viewfinder; `swiftwing` becomes this program.
@main enum SwiftwingTool {
  static func main() {
    StandardStreams.holdClosed()
    StandardStreams.demandRoom()
    let arguments = Array(CommandLine.arguments.dropFirst())
    // Nothing else of this program is touched in a process that reads photos for another.
    if arguments.first == Recognizer.name { Recognizer.run(arguments.dropFirst()) }
    signal(SIGPIPE, SIG_IGN)
    let invocation = Invocation(arguments)
    if invocation.leavesReport { Interrupts.keep() }
    exit(invocation.status())
  }
}

extension Invocation {
  /// Runs the command; the calling thread waits. An asynchronous `main` would end its thread first, which takes longer.
  fileprivate func status() -> Int32 {
    let status = Locked<Int32?>(nil)
    Task {
      let code = await run()
      status.withLock { $0 = code }
      status.notify()
    }
    return status.wait { $0 }
  }
}

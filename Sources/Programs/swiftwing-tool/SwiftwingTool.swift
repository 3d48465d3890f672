import Console
import Glibc
import Harness
import Log
import System

/// The program behind all commands except the viewfinder: `swiftwing` replaces itself by it.
@main enum SwiftwingTool {
  static func main() {
    StandardStreams.holdClosed()
    StandardStreams.demandRoom()
    let arguments = RunningProgram.demandArguments()
    // A process that reads photos for another process uses nothing else of this program.
    if arguments.first == Recognizer.name { Recognizer.run(arguments.dropFirst()) }
    signal(SIGPIPE, SIG_IGN)
    // A program that ignores SIGCHLD lets its children ignore it too. The system then keeps no exit status of ours.
    signal(SIGCHLD, SIG_DFL)
    do throws(LogError) { try traceOrLog() } catch {
      Terminal.tell("swiftwing: \(error)")
      exit(ExitStatus.usage.rawValue)
    }
    let invocation = Invocation(arguments)
    if invocation.leavesReport { Interrupts.keep() }
    let status = invocation.status()
    if let trouble = LogSystem.finish() { Terminal.tell("swiftwing: \(trouble)") }
    exit(status)
  }

  /// Starts the log that `SWIFTWING_LOG` requests, and a trace if `path` is given.
  static func traceOrLog(_ path: String? = nil) throws(LogError) {
    try LogSystem.begin(trace: path) { Terminal.tell($0) }
  }
}

extension Invocation {
  /// Runs the command and blocks the calling thread meanwhile. An asynchronous `main` would end its thread first, which takes
  /// longer.
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

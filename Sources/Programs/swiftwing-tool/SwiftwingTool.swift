import Console
import Glibc
import Harness
import Log
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

  /// Begins the log that `SWIFTWING_LOG` asks for, and a trace where there is a path for one.
  static func traceOrLog(_ path: String? = nil) throws(LogError) {
    try LogSystem.begin(trace: path) { Terminal.tell($0) }
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

import Console
import Glibc
import Testing

/// Output that cannot be written, to a full disk or a closed pipe.
@Suite struct TerminalTests {
  private func said(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test func aFullDiskIsTold() async {
    let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO)
      Terminal.say("a result")
      exit(0)
    }
    #expect(
      said(result)
        == "swiftwing: cannot write to standard output: No space left on device; redirect it elsewhere\n")
  }

  @Test func aReaderThatHasGoneIsToldNothing() async {
    let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      signal(SIGPIPE, SIG_IGN)
      var ends: [CInt] = [0, 0]
      pipe(&ends)
      close(ends[0])
      dup2(ends[1], STDOUT_FILENO)
      Terminal.say("a result")
      exit(0)
    }
    #expect(!said(result).contains("swiftwing"))
  }
}

import Glibc
import System
import Testing

@Suite struct StandardStreamsTests {
  /// If standard output is closed, the next file that is opened does not become standard output, and printed text is discarded.
  @Test func aStreamThatIsClosedIsNoFileOfOurs() async {
    await #expect(processExitsWith: .exitCode(0)) {
      close(STDIN_FILENO)
      close(STDOUT_FILENO)
      StandardStreams.holdClosed()
      let opened = open("/dev/null", O_RDWR)
      var byte: UInt8 = 0
      let isHeld = opened > STDERR_FILENO && write(STDOUT_FILENO, &byte, 1) == -1 && errno == EBADF
      exit(isHeld && read(STDIN_FILENO, &byte, 1) == -1 ? 0 : 1)
    }
  }

  /// An open stream is not changed.
  @Test func aStreamThatIsOpenIsLeftAlone() async {
    await #expect(processExitsWith: .exitCode(0)) {
      var ends: [CInt] = [0, 0]
      pipe(&ends)
      dup2(ends[1], STDOUT_FILENO)
      StandardStreams.holdClosed()
      var byte: UInt8 = 7
      exit(write(STDOUT_FILENO, &byte, 1) == 1 ? 0 : 1)
    }
  }
}

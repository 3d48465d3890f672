import Glibc
import Testing

@testable import Console

/// Runs serially, because only one terminal at a time can have its echo turned off.
@Suite(.serialized) struct TerminalDetectionTests {
  private func detect(
    _ answer: String?, patience: Duration = .seconds(60), _ variables: [String: String] = [:]
  ) throws -> TerminalPicture.Kind {
    let terminal = try PlayedTerminal(answer: answer)
    let before = terminal.modes
    let kind = TerminalPicture.detect(on: terminal.descriptor, patience: patience) {
      ["TERM": "xterm-256color"].merging(variables) { $1 }[$0]
    }
    #expect(terminal.modes == before && before & tcflag_t(ICANON | ECHO) != 0)
    return kind
  }

  @Test func kittyTakesItsOwnPictures() throws {
    #expect(try detect("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c") == .kitty)
    // WezTerm supports both protocols.
    #expect(try detect("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?65;4;6;18;22c") == .kitty)
  }

  @Test func aTerminalWithAttributeFourTakesSixels() throws {
    #expect(try detect("\u{1B}[?63;1;2;4;6;9;15;22c") == .sixel)
    // A first parameter of 4 is the terminal's class, not the attribute for sixels. An error as the answer to kitty's query means
    // that kitty's pictures are not supported.
    #expect(try detect("\u{1B}_Gi=31;ENOTSUPPORTED\u{1B}\\\u{1B}[?4;6c") == .none)
  }

  @Test func oneWithoutEitherHasHalfBlocksWhereItHasTheColours() throws {
    #expect(try detect("\u{1B}[?1;2c", ["COLORTERM": "truecolor"]) == .halfBlocks)
    #expect(try detect("\u{1B}[?1;2c", ["KITTY_WINDOW_ID": "1"]) == .none)
    #expect(try detect("typed\u{1B}[?6c", ["COLORTERM": "yes"]) == .none)
  }

  @Test func oneThatDoesNotAnswerIsNotWaitedForLong() throws {
    #expect(try detect(nil, patience: .milliseconds(1)) == .none)
    #expect(try detect(nil, patience: .milliseconds(1), ["TERM": "xterm-kitty"]) == .kitty)
    #expect(try detect(nil, patience: .milliseconds(1), ["TERM": "xterm-kitty", "TMUX": "x"]) == .none)
    // The answer breaks off.
    #expect(try detect("\u{1B}[?62;4", patience: .milliseconds(200)) == .none)
    // Reading stops at a limit, even if the answer does not end.
    #expect(try detect(String(repeating: "\u{1B}[?", count: 1500)) == .none)
  }

  @Test func onlyWhoIgnoresTheUnknownIsAskedForKitty() throws {
    for (variables, isAsked) in [
      (["TERM": "xterm"], true), (["TERM": "linux"], false), (["TERM": "screen", "STY": "1"], false),
    ] {
      let terminal = try PlayedTerminal(answer: "\u{1B}[?6c")
      _ = TerminalPicture.detect(on: terminal.descriptor, patience: .seconds(60)) { variables[$0] }
      #expect(terminal.question.contains("_G") == isAsked && terminal.question.hasSuffix("\u{1B}[c"))
    }
  }

  @Test func aDumbTerminalAndAFileAreNotAsked() throws {
    #expect(try detect("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c", ["TERM": "dumb"]) == .none)
    let file = open("/dev/null", O_WRONLY)
    defer { close(file) }
    #expect(TerminalPicture.detect(on: file, environment: { _ in "xterm-kitty" }) == .none)
  }

  @Test func anInterruptIsHeardOnceTheTerminalIsRestored() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let terminal = try PlayedTerminal(answer: "\u{03}")
      let before = terminal.modes
      TerminalDetectionTests.watched = (terminal.descriptor, before)
      signal(SIGINT) { _ in
        var mode = termios()
        tcgetattr(TerminalDetectionTests.watched.0, &mode)
        _exit(mode.c_lflag == TerminalDetectionTests.watched.1 ? 42 : 43)
      }
      // The process that runs the tests may block the signal.
      var set = sigset_t()
      sigemptyset(&set)
      sigaddset(&set, SIGINT)
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
      _ = TerminalPicture.detect(on: terminal.descriptor, patience: .seconds(60)) { _ in "xterm" }
      // Another thread may receive the signal.
      while true { pause() }
    }
  }

  /// The test reads the modes through its own descriptor, because a terminal keeps its modes as long as it is open.
  @Test func whoeverEndsTheProgramRestoresTheTerminal() async throws {
    let terminal = try PlayedTerminal(answer: nil)
    let before = terminal.modes
    // Swift 6.2 passes no values to an exit test, so the child finds the terminal by its parent's process id.
    let link = "/tmp/swiftwing-terminal-\(getpid())"
    symlink(terminal.name, link)
    defer { unlink(link) }
    await #expect(processExitsWith: .exitCode(130)) {
      let descriptor = open("/tmp/swiftwing-terminal-\(getppid())", O_RDWR | O_NOCTTY)
      QuietTerminal.during(descriptor) { Terminal.end(with: "ended", 130) }
      exit(1)
    }
    #expect(terminal.modes == before)
  }

  /// The terminal's descriptor and its modes before the test; used only in an exit test's process.
  nonisolated(unsafe) private static var watched: (CInt, tcflag_t) = (-1, 0)
}

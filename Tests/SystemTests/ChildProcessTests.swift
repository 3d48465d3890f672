import Glibc
import Testing

@testable import System

@Suite struct ChildProcessTests {
  private func run(
    _ script: String, _ words: [String] = [], keeping limit: Int = 1000, isEndedBeyond: Bool = false
  ) throws -> ProgramOutput {
    try ChildProcess.run(
      "sh", ["-c", script, "sh"] + words, keeping: limit, isEndedBeyond: isEndedBeyond, keepingErrors: 1000)
  }

  @Test func whatItSaysAndHowItEndsIsTold() throws {
    let said = try run("echo out; echo err >&2; exit 7")
    #expect(said.output == Array("out\n".utf8) && said.errors == Array("err\n".utf8))
    #expect(said.end.status == 7 && said.end.signal == 0 && said.isWhole)
    let killed = try run("kill -TERM $$")
    #expect(killed.end.status == 128 + SIGTERM && killed.end.signal == SIGTERM)
    #expect(try run("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done").end.processorSeconds > 0)
  }

  @Test func noShellReadsTheArguments() throws {
    let words = ["a; rm -rf /", "$HOME", "*", "", "naïve 書"]
    let said = try run("for word; do echo \"[$word]\"; done", words)
    #expect(String(decoding: said.output, as: UTF8.self) == words.map { "[\($0)]\n" }.joined())
  }

  @Test func aProgramIsLookedForInPathOrNamed() throws {
    #expect(try ChildProcess.run("true", [], keeping: 0).end.status == 0)
    #expect(try ChildProcess.run("/bin/false", [], keeping: 0).end.status == 1)
    for (program, code) in [("no-such-program", ENOENT), ("/nonexistent/x", ENOENT), ("/etc/passwd", EACCES)]
    {
      let error = #expect(throws: SystemError.self) { try ChildProcess.run(program, [], keeping: 0) }
      #expect(error?.code == code, "\(program)")
    }
  }

  /// Output beyond the limit is dropped, or the program is killed. The program never blocks because its output is not read.
  @Test func outputIsBounded() throws {
    let dropped = try run("head -c 300000 /dev/zero", keeping: 100)
    #expect(dropped.output.count == 100 && !dropped.isWhole && dropped.end.status == 0)
    let ended = try run("exec yes", keeping: 100_000, isEndedBeyond: true)
    #expect(ended.output.count == 100_000 && !ended.isWhole && ended.end.signal == SIGKILL)
    let exact = try run("head -c 100 /dev/zero", keeping: 100, isEndedBeyond: true)
    #expect(exact.output.count == 100 && exact.isWhole && exact.end.status == 0)
    let loud = try run("head -c 300000 /dev/zero >&2; echo done")
    #expect(loud.errors.count == 1000 && loud.output == Array("done\n".utf8))
  }

  /// A child inherits the three standard streams and no other descriptor.
  @Test func nothingElseIsInherited() throws {
    let open = dup(STDIN_FILENO)
    #expect(open >= 3)
    defer { close(open) }
    let said = try run("ls /proc/self/fd; grep -E '^Sig(Blk|Ign)' /proc/self/status; cat")
    let lines = String(decoding: said.output, as: UTF8.self).split(separator: "\n").map(String.init)
    // `ls` itself opens the fourth descriptor.
    #expect(lines.prefix(4) == ["0", "1", "2", "3"] && lines.count == 6)
    #expect(lines.contains("SigBlk:\t0000000000000000"))
  }

  @Test func ignoredSignalsAreItsOwnBusinessWhenItIsApart() async {
    await #expect(processExitsWith: .success) {
      for number in [SIGPIPE, SIGTERM] { signal(number, SIG_IGN) }
      func ignored(isApart: Bool) throws -> (isPipe: Bool, isTerm: Bool, isLeader: Bool) {
        let pipe = try ProcessPipe()
        let child = try ChildProcess(
          "grep", ["^SigIgn", "/proc/self/status"], output: .descriptor(pipe.writer), isApart: isApart)
        let isLeader = getpgid(child.identifier) == child.identifier
        pipe.closeWriter()
        pipe.readToEnd(keeping: 100)
        _ = child.wait()
        let mask = String(decoding: pipe.bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).last
        guard let bits = mask.flatMap({ UInt64($0, radix: 16) }) else { throw SystemError(EINVAL) }
        return (bits >> (SIGPIPE - 1) & 1 == 1, bits >> (SIGTERM - 1) & 1 == 1, isLeader)
      }
      let (beside, apart) = (try ignored(isApart: false), try ignored(isApart: true))
      precondition(beside == (false, true, false))
      precondition(apart == (false, false, true))
    }
  }

  /// A child whose exit status the system did not keep has not succeeded.
  @Test func anEndThatIsNotKnownIsNoSuccess() async {
    await #expect(processExitsWith: .success) {
      signal(SIGCHLD, SIG_IGN)
      let end = try ChildProcess("false").wait()
      precondition(end.status == 255 && end.signal == 0)
    }
  }

  @Test func variablesAreSetBesideOurs() throws {
    let pipe = try ProcessPipe()
    let child = try ChildProcess(
      "sh", ["-c", "echo $SWIFTWING_TEST $PATH"], output: .descriptor(pipe.writer),
      environment: ["SWIFTWING_TEST": "a=b"])
    pipe.closeWriter()
    pipe.readToEnd(keeping: 10_000)
    #expect(child.wait().status == 0)
    let path = try #require(getenv("PATH").map { String(cString: $0) })
    #expect(String(decoding: pipe.bytes, as: UTF8.self) == "a=b \(path)\n")
  }

  @Test func itIsTalkedToThroughPipes() throws {
    let (input, output) = (try ProcessPipe(), try ProcessPipe())
    let child = try ChildProcess(
      "cat", input: .descriptor(input.reader), output: .descriptor(output.writer), isApart: true)
    input.closeReader()
    output.closeWriter()
    #expect(!output.isReadable(within: 0))
    #expect(write(input.writer, "word", 4) == 4)
    #expect(output.isReadable(within: 60_000))
    output.read(keeping: 100)
    #expect(output.bytes == Array("word".utf8) && output.reader >= 0)
    input.closeWriter()
    output.readToEnd(keeping: 100)
    #expect(output.reader == -1 && child.wait().status == 0)
  }

  @Test func aKilledOneIsReaped() throws {
    let child = try ChildProcess("sleep", ["3600"])
    #expect(child.send(SIGKILL))
    #expect(child.wait().signal == SIGKILL)
    #expect(!child.send(0))
  }
}

@Suite struct RunningProgramTests {
  @Test func programsLieBesideThisOne() throws {
    let path = try #require(RunningProgram.path)
    #expect(access(path, X_OK) == 0)
    #expect(RunningProgram.folder.map { path.hasPrefix("\($0)/") } == true)
    #expect(RunningProgram.sibling("x") == "\(RunningProgram.folder ?? "")/x")
  }

  @Test func whatIsNotThereCannotBeBecome() {
    #expect(RunningProgram.become("/nonexistent/x", []).code == ENOENT)
  }

  @Test func thisProgramBecomesAnother() async {
    await #expect(processExitsWith: .exitCode(7)) {
      _ = RunningProgram.become("/bin/sh", ["-c", "[ $0 = sh ] && exit $1", "sh", "7"])
    }
  }
}

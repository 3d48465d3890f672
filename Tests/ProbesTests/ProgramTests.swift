import Imagery
import System
import Testing

@testable import Probes

/// Programs that are run to their end, and the viewfinder's report about its start.
@Suite struct ProgramTests {
  private func shell(_ script: String) throws -> ChildProgram.Outcome {
    try ChildProgram(executable: "sh", arguments: ["-c", script], showsErrors: false).run()
  }

  @Test func howAProgramEndedAndWhatItSaidIsTold() throws {
    let said = try shell("echo hello; exit 3")
    #expect(said.status == 3 && said.output == "hello\n" && said.spawned < said.exited)
    #expect(try shell("kill -9 $$").status == 137)
  }

  /// All output is read, so that it does not block the program, but only its first part is kept.
  @Test func whoSaysTooMuchIsCut() throws {
    let said = try shell("head -c 300000 /dev/zero; exit 5")
    #expect(said.status == 5 && (1 << 16..<1 << 17).contains(said.output.utf8.count))
  }

  @Test func whatCannotBeStartedIsToldWithItsRemedy() {
    let program = ChildProgram(executable: "/nowhere/at-all", arguments: [], remedy: "build it")
    #expect {
      try program.run()
    } throws: { error in
      "\(error)".hasPrefix("cannot use /nowhere/at-all: ") && "\(error)".hasSuffix("; build it")
    }
  }

  @Test func theFirstPictureIsReadOffItsLine() throws {
    let line = #"{"event":"firstPicture","main":1,"arrival":2,"render":3,"presented":4}"#
    let read = try #require(FirstPictureLine("noise\n{\"event\":\"status\"}\n\(line)\n"))
    #expect([read.main, read.arrival, read.render, read.presented].map(\.nanoseconds) == [1, 2, 3, 4])
    for other in [
      "", "{}", line.replacing("firstPicture", with: "lastPicture"), line.replacing("4", with: "x"),
    ] {
      #expect(FirstPictureLine(other) == nil)
    }
  }
}

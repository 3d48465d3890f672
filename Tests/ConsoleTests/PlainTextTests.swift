import Foundation
import Testing

@testable import Console

@Suite struct PlainTextTests {
  @Test func nothingFromOutsideMovesTheTerminal() {
    #expect(PlainText.printable("a\u{1B}[2Jb\u{9B}1mc\u{202E}d\u{7}e\nf") == "a [2Jb 1mc d e f")
  }

  @Test(arguments: [
    ("plain", 5, "plain"), ("plain", 4, "pla…"), ("書籍書", 6, "書籍書"), ("書籍書", 5, "書籍…"), ("", 3, ""),
    ("a\u{1B}b", 3, "a b"),
  ])
  func textIsCutToColumns(text: String, columns: Int, fitted: String) {
    #expect(PlainText.fitted(text, columns: columns) == fitted)
  }

  @Test func textIsBrokenAtSpaces() {
    #expect(PlainText.wrapped("one two three", columns: 7) == ["one two", "three"])
    #expect(PlainText.wrapped("a\u{7}b", columns: 7) == ["a b"])
  }

  /// Lines are broken between words, never within a word. A line that fits stays unchanged, including repeated blanks.
  @Test(arguments: [
    ("one  two", ["one  two"]), ("  one two three", ["  one", "  two", "  three"]), ("", [""]),
    ("extraordinary", ["extraordinary"]), ("an extraordinary one", ["an", "extraordinary", "one"]),
    ("書籍 書籍書", ["書籍", "書籍書"]), ("cannot read a", ["cannot", "read a"]),
  ]) func linesEndBetweenWords(line: String, lines: [String]) {
    #expect(PlainText.broken(line, columns: 8) == lines)
  }

  /// A command that the user may copy is not broken over two lines.
  @Test func aCommandIsNotBroken() {
    let sentence = "look with `swiftwing library review --library 'a  b'` at them"
    #expect(
      PlainText.broken(sentence, columns: 20) == [
        "look with", "`swiftwing library review --library 'a  b'`", "at them",
      ])
    #expect(PlainText.wrapped(sentence, columns: 20) == PlainText.broken(sentence, columns: 20))
    let command = "  swiftwing library merge 1 2 --library 'a  b'"
    #expect(PlainText.broken(command, columns: 20) == [command])
    #expect(PlainText.broken("a ` b c d e f g h", columns: 8) == ["a ` b c", "d e f g", "h"])
  }
}

/// The output files of commands.
@Suite struct DestinationTests {
  /// Runs `body` in a temporary folder with one file in it.
  private func inFolder(_ body: (_ folder: String, _ file: String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "destination-\(UUID().uuidString)")
      .path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = "\(folder)/in.jpg"
    try Data("picture".utf8).write(to: URL(filePath: file))
    try body(folder, file)
  }

  @Test func whatIsReadIsNotOverwrittenUnderWhateverName() throws {
    try inFolder { folder, file in
      let (soft, hard) = ("\(folder)/soft.jpg", "\(folder)/hard.jpg")
      try FileManager.default.createSymbolicLink(atPath: soft, withDestinationPath: "in.jpg")
      try FileManager.default.linkItem(atPath: file, toPath: hard)
      for name in [file, "\(folder)/../\(folder.split(separator: "/").last ?? "")/in.jpg", soft, hard] {
        let error = #expect(throws: DestinationError.self) { try Destination(name, madeOf: ["none", file]) }
        #expect(
          "\(error!)" == "--out \(name) would overwrite the input \(file); choose another name")
      }
      #expect(throws: DestinationError.self) { try Destination(file, madeOf: [soft]) }
      _ = try Destination("\(folder)/out.jpg", madeOf: [file])
      _ = try Destination(file, madeOf: ["\(folder)/another.jpg"])
    }
  }

  @Test func twoNamesOfOneFileAreOneEvenBeforeItIsWritten() throws {
    try inFolder { folder, file in
      #expect(Destination.areOne(file, "\(folder)/./in.jpg"))
      #expect(Destination.areOne("\(folder)/new.csv", "\(folder)/./new.csv"))
      #expect(Destination.areOne("/nonexistent/new.csv", "/nonexistent/new.csv"))
      let name = UUID().uuidString
      #expect(Destination.areOne(name, "./\(name)") && !Destination.areOne(name, "/\(name)"))
      #expect(!Destination.areOne("\(folder)/new.csv", "\(folder)/new.html"))
      #expect(!Destination.areOne("\(folder)/new.csv", "/new.csv") && !Destination.areOne(file, "/in.jpg"))
    }
  }

  @Test func whatIsThereIsReplacedOnlyWhereTheUserSaysSo() throws {
    try inFolder { folder, file in
      let error = #expect(throws: DestinationError.self) { try Destination(file, mayReplace: false) }
      #expect("\(error!)".contains("there is something of that name already; choose another name, or"))
      _ = try Destination("\(folder)/out.jpg", mayReplace: false)
      // An input file is not replaced, even with `mayReplace`.
      let own = #expect(throws: DestinationError.self) {
        try Destination(file, madeOf: [file], mayReplace: true)
      }
      #expect("\(own!)".contains("would overwrite"))
    }
  }

  @Test(arguments: ["/dev/null", "/"]) func whatIsNoFileIsNotReplaced(path: String) {
    #expect(throws: DestinationError.self) { try Destination(path) }
  }

  /// `/dev/stdin` leads to a file if the shell takes the input from one. Root could replace the link itself.
  @Test func theLinkToAStreamIsNotReplaced() async {
    await #expect(processExitsWith: .exitCode(0)) {
      dup2(open("/proc/self/exe", O_RDONLY), STDIN_FILENO)
      exit((try? Destination("/dev/stdin")) == nil && (try? Destination("/proc/self/exe")) != nil ? 0 : 1)
    }
  }

  @Test func aFolderIsNotReplacedByWhatIsMadeOfIt() throws {
    try inFolder { folder, file in
      try FileManager.default.createDirectory(
        atPath: "\(folder)/corpus/frames", withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "corpus")
      for (out, input) in [
        ("corpus", "corpus"), ("corpus", "corpus/frames"), ("link", "corpus/frames"), ("corpus", "link"),
      ] {
        #expect(throws: DestinationError.self) {
          try Destination.check(folder: "\(folder)/\(out)", madeOf: ["\(folder)/\(input)"])
        }
      }
      try Destination.check(folder: "\(folder)/corpus", madeOf: [file, "\(folder)/none"])
      try Destination.check(folder: "\(folder)/corpus/frames", madeOf: ["\(folder)/corpus"])
    }
  }
}

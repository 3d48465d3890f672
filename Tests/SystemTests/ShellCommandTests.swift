import Testing

@testable import System

/// Commands that are printed for copying, and how shells read them.
@Suite struct ShellCommandTests {
  /// Returns the words into which a shell splits a line.
  private func read(_ line: String, by shell: String = "bash") throws -> [String] {
    let said = try ChildProcess.run(
      shell, ["-c", "printf '%s\\0' \(line)"], keeping: 10_000, keepingErrors: 1000)
    #expect(said.end.status == 0, "\(String(decoding: said.errors, as: UTF8.self))")
    return said.output.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private static let odd = [
    "", " ", "my books", "it's", "'", "''", #"a"b"#, "$HOME", "$(touch x)", "`id`", "a\\b", "a\\", "~",
    "*.jpg", "!!", "#1", "a;b",
    "a&b", "-x", "--library", "line\nend\n", "tab\there", "\u{1B}[31m", "\u{202E}gpj.exe", "Café 書架",
    "e\u{301}", "{a,b}", "x=1", "a'\n`b\\",
    "\u{7F}7", "👩‍👩‍👧", "x'\u{301};echo y;'\u{301}",
  ]

  @Test func everyWordIsReadAsItWasMeant() throws {
    #expect(try read(ShellCommand.line(Self.odd)) == Self.odd)
  }

  /// A shell of POSIX.1-2017, which lacks `$'…'`, reads all other lines correctly.
  @Test func theOldestShellReadsWhatCanBePrinted() throws {
    let words = Self.odd.filter { !ShellCommand.quoted($0).hasPrefix("$") }
    #expect(words.count > 20)
    #expect(try read(ShellCommand.line(words), by: "sh") == words)
  }

  @Test func aCommandIsOnePrintableLineWithoutBackticks() {
    let line = ShellCommand.line(Self.odd)
    #expect(
      !line.contains("\n") && !line.contains("`") && !line.contains("\u{1B}") && !line.contains("\u{202E}"))
  }

  @Test func whatNeedsNoQuotesHasNone() {
    #expect(ShellCommand.quoted("/dev/video0") == "/dev/video0")
    #expect(ShellCommand.quoted("corpus:stills-12mp@30") == "corpus:stills-12mp@30")
    #expect(ShellCommand.quoted("it's") == #"'it'\''s'"#)
  }

  @Test func aValueIsNoOption() {
    #expect(ShellCommand.option("--library", "my books") == "--library 'my books'")
    #expect(ShellCommand.option("--library", "-x y") == "'--library=-x y'")
    #expect(ShellCommand.file("-x.jpg") == "./-x.jpg")
    // With a combining mark after it, a dash is another character of Swift, but the same for a program.
    #expect(ShellCommand.file("-\u{301}x.jpg") == "'./-\u{301}x.jpg'")
    #expect(ShellCommand.option("--library", "-\u{301}x") == "'--library=-\u{301}x'")
  }
}

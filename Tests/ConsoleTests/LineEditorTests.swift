import Testing

@testable import Console

/// The keys with which a person edits a line.
@Suite struct LineEditorTests {
  private func edited(_ text: String, _ keys: String) -> (text: String, end: LineEditor.End?) {
    var editor = LineEditor(text)
    var end: LineEditor.End?
    for byte in keys.utf8 where end == nil { end = editor.take(byte) }
    return (editor.text, end)
  }

  @Test(arguments: [
    ("Dracola", "\u{7F}\u{7F}\u{7F}ula", "Dracula"), ("Emma", "\u{1B}[D\u{1B}[D\u{1B}[3~n", "Emna"),
    ("Emma", "\u{1B}[HX\u{1B}[FY", "XEmmaY"), ("Emma", "\u{01}J\u{05}!", "JEmma!"),
    ("Emma / Jane  Austin", "\u{17}Austen", "Emma / Jane  Austen"), ("Emma", "\u{15}é書", "é書"),
    ("Emma", "\u{1B}OD\u{1B}OD\u{0B}", "Em"), ("Emma", "\u{1B}[A\u{1B}[1;5C\u{1B}x\u{02}", "Emma"),
    ("Emma / Austin", "\u{1B}[1;5D\u{1B}bX", "Emma X/ Austin"),
    ("ab  cd ef", "\u{01}\u{1B}[1;3C\u{1B}dX\u{1B}fY", "abX efY"), ("ab cd", "\u{01}\u{1B}[3;5~", " cd"),
    ("", "\u{7F}\u{1B}[3~\u{1B}[D\u{1B}[C\u{17}a", "a"), ("a\u{1B}[2J", "", "a [2J"),
  ])
  func keysEdit(text: String, keys: String, result: String) {
    #expect(edited(text, keys).text == result)
  }

  @Test func enterEndsAndControlCDrops() {
    #expect(edited("Emma", "x\ny") == ("Emmax", .done))
    #expect(edited("Emma", "\u{03}").end == .dropped && edited("Emma", "\u{04}").end == .dropped)
    #expect(edited("Emma", "y").end == nil)
    var editor = LineEditor("a")
    for byte: UInt8 in [0xFF, 0xFF, 0xFF, 0xFF, 0x62] { #expect(editor.take(byte) == nil) }
    #expect(editor.text == "ab")
  }

  @Test func aWideLineShowsThePartAroundTheCursor() {
    func drawing(_ editor: LineEditor, _ columns: Int) -> String {
      String(decoding: editor.drawing("> ", columns: columns), as: UTF8.self)
    }
    #expect(drawing(LineEditor("Emma"), 80) == "\r\u{1B}[2K> Emma\r\u{1B}[6C")
    #expect(drawing(LineEditor("0123456789"), 8) == "\r\u{1B}[2K> 56789\r\u{1B}[7C")
    var editor = LineEditor("0123456789")
    _ = editor.take(1)
    #expect(drawing(editor, 8) == "\r\u{1B}[2K> 0123…\r\u{1B}[2C")
  }
}

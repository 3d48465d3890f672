/// A terminal's answer about the picture formats that it supports.
struct TerminalAnswer: Sendable, Hashable {
  /// Whether the terminal accepted a picture of kitty's protocol.
  private(set) var takesKitty = false
  /// The terminal's primary device attributes without the first one, which is the terminal's class. Nil until they have arrived.
  private(set) var attributes: [Int]?
  /// Whether the user has pressed ^C meanwhile.
  private(set) var isInterrupted = false

  /// The query for the primary device attributes (ECMA-48 DA), which every terminal answers.
  static let question = Array("\u{1B}[c".utf8)
  /// The query for kitty's protocol with a picture of one pixel (kitty graphics protocol, "Querying support and available transmission mediums"),
  /// followed by the query for the attributes, whose answer alone shows that the first query was ignored.
  static let kittyQuestion = Array("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\".utf8) + question
  /// The maximum number of bytes to read.
  static let limit = 4096

  /// Whether the terminal supports sixels (DEC STD 070; xterm, "Device Attributes").
  var takesSixels: Bool { attributes?.contains(4) ?? false }
  /// Whether the answer is complete.
  var isWhole: Bool { attributes != nil || isInterrupted }

  /// - Parameter bytes: the bytes from the terminal so far, including what the user has typed.
  init(_ bytes: [UInt8]) {
    let text = bytes.map { $0 < 128 ? Character(Unicode.Scalar($0)) : "?" }
    isInterrupted = text.contains("\u{03}")
    for start in text.indices where text[start] == "\u{1B}" {
      let rest = text[start...].dropFirst()
      if rest.starts(with: "_Gi=31;OK\u{1B}\\") { takesKitty = true }
      if rest.starts(with: "[?") { attributes = Self.attributes(rest.dropFirst(2)) ?? attributes }
    }
  }

  private static func attributes(_ text: ArraySlice<Character>) -> [Int]? {
    guard let end = text.firstIndex(where: { !$0.isNumber && $0 != ";" }), text[end] == "c" else {
      return nil
    }
    return text[..<end].split(separator: ";").dropFirst().compactMap { Int(String($0)) }
  }
}

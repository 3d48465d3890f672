/// What a terminal has said of the pictures that it shows.
struct TerminalAnswer: Sendable, Hashable {
  /// It has taken a picture of kitty's protocol.
  private(set) var takesKitty = false
  /// Its primary device attributes without the first, which is its class; nil before they have come.
  private(set) var attributes: [Int]?
  /// The user has pressed ^C meanwhile.
  private(set) var isInterrupted = false

  /// The primary device attributes (ECMA-48 DA), which every terminal answers.
  static let question = Array("\u{1B}[c".utf8)
  /// A picture of one pixel that is only tried (kitty graphics protocol, "Querying support and available transmission mediums"), before
  /// the attributes: who does not answer it is known by them.
  static let kittyQuestion = Array("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\".utf8) + question
  /// Most that is read, bytes.
  static let limit = 4096

  /// Sixels (DEC STD 070; xterm, "Device Attributes").
  var takesSixels: Bool { attributes?.contains(4) ?? false }
  /// Nothing else will come.
  var isWhole: Bool { attributes != nil || isInterrupted }

  /// - Parameter bytes: what the terminal has sent so far, with whatever the user has typed.
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

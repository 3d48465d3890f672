/// Text of titles and authors as it comes from a backend, a recogniser or a file, made one clean line.
///
/// Control characters and white space become single spaces. What is not seen and turns text round or hides in it goes: the bidirectional
/// controls (Unicode Standard Annex #9), and what is ignored by default (`Default_Ignorable_Code_Point`) or a format character, as Unicode
/// Technical Report #36 advises. What letters need stays: joiners in Arabic and Indic words and in emoji (after UAX #31, 2.3), the
/// signs before Arabic numbers, variation selectors.
public enum CleanText {
  /// - Parameters:
  ///   - characters: most of them; what is beyond is cut off.
  ///   - bytes: most bytes in UTF-8, since one character may have any number.
  public static func line(_ text: String, characters: Int = 1000, bytes: Int = 16_000) -> String {
    if isPlain(text, within: min(characters, bytes)) { return text }
    // What is never shown has its bound too.
    let seen = Array(text.unicodeScalars.prefix(4 * bytes).filter { !isNeverShown($0) })
    var kept = KeptText()
    for (index, scalar) in seen.enumerated() {
      if isSpace(scalar) {
        kept.endWord()
      } else if !kept.take(scalar, before: index + 1 < seen.count ? seen[index + 1] : nil, limit: bytes) {
        break
      }
    }
    return kept.text(characters: characters)
  }

  /// The same, without slashes and bars that stand alone at its ends: what parted a title from an author of which one was not there.
  package static func name(_ text: String) -> String {
    let line = line(text)
    guard line.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "|") }) else {
      return line
    }
    var words = line.split(separator: " ")[...]
    while words.first == "/" || words.first == "|" { words.removeFirst() }
    while words.last == "/" || words.last == "|" { words.removeLast() }
    return words.joined(separator: " ")
  }

  /// Printable ASCII with single spaces between its words: most of a library.
  private static func isPlain(_ text: String, within limit: Int) -> Bool {
    var last = UInt8(ascii: " ")
    var count = 0
    for byte in text.utf8 {
      count += 1
      guard (0x20...0x7E).contains(byte), count <= limit else { return false }
      if byte == 0x20, last == 0x20 { return false }
      last = byte
    }
    return count == 0 || last != 0x20
  }

  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
  }

  private static func isNeverShown(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x7F || isSpace(scalar) || scalar.isJoiner || scalar.isSelector { return false }
    let isIgnored =
      scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .format
    return isIgnored && !scalar.isNumberSign
  }
}

/// A line as it grows.
private struct KeptText {
  private var kept = String.UnicodeScalarView()
  private var bytes = 0
  private var isWordOver = false
  private var isCut = false

  mutating func endWord() { isWordOver = !kept.isEmpty }

  /// Whether there is room for more.
  mutating func take(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?, limit: Int) -> Bool {
    guard scalar.isNeeded(after: isWordOver ? nil : kept.last, before: next) else { return true }
    bytes += UTF8.width(scalar) + (isWordOver ? 1 : 0)
    guard bytes <= limit else {
      isCut = true
      return false
    }
    if isWordOver { kept.append(" ") }
    kept.append(scalar)
    isWordOver = false
    return true
  }

  /// A joiner at the end of a text that was cut is removed, because what it joined to is gone.
  func text(characters: Int) -> String {
    let whole = String(kept)
    var view = String(whole.prefix(characters)).unicodeScalars
    guard isCut || view.count < kept.count else { return whole }
    while let last = view.last, last.isJoiner || last == " " { view.removeLast() }
    return String(view)
  }
}

extension Unicode.Scalar {
  fileprivate var isJoiner: Bool { value == 0x200C || value == 0x200D }

  /// Chooses how the character before it looks, an emoji in colour for instance.
  fileprivate var isSelector: Bool {
    [0xFE00...0xFE0F, 0xE0100...0xE01EF, 0x180B...0x180F].contains { $0.contains(value) } || value == 0x034F
  }

  /// Shown though they are format characters (`Prepended_Concatenation_Mark`).
  fileprivate var isNumberSign: Bool {
    [0x0600...0x0605, 0x06DD...0x06DD, 0x070F...0x070F, 0x0890...0x0891, 0x08E2...0x08E2].contains {
      $0.contains(value)
    } || value == 0x110BD || value == 0x110CD
  }

  /// - Parameters:
  ///   - last: what is kept before it; nil at the beginning of a word.
  ///   - next: what comes after it.
  fileprivate func isNeeded(after last: Unicode.Scalar?, before next: Unicode.Scalar?) -> Bool {
    if isSelector { return last.map { !$0.isJoiner && !$0.isSelector } ?? false }
    guard isJoiner else { return true }
    guard let last, !last.isJoiner else { return false }
    if last.isVirama { return true }
    guard value == 0x200D else {
      guard let next, last.isOfWord, next.isOfWord else { return false }
      return last.joins || next.joins
    }
    if let next, next.isVirama || (last.isPicture && next.isPicture) { return true }
    return last.joins || next?.joins == true
  }

  private var isVirama: Bool { properties.canonicalCombiningClass == .virama }

  private var isPicture: Bool { value > 0xFF && (properties.isEmoji || value == 0xFE0F) }

  private var isOfWord: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .nonspacingMark, .spacingMark:
      true
    default: false
    }
  }

  /// A letter or mark of a script whose letters join: Arabic, Syriac, N'Ko, Mandaic, Mongolian, Phags-pa, Rohingya, Adlam.
  private var joins: Bool {
    isOfWord
      && [
        0x0600...0x08FF, 0x1800...0x18AF, 0xA840...0xA87F, 0xFB50...0xFDFF, 0xFE70...0xFEFE,
        0x10D00...0x10D3F,
        0x1E900...0x1E95F,
      ].contains { $0.contains(value) }
  }
}

/// Cleans the text of titles and authors from a backend, a recogniser or a file, and makes it one line.
///
/// Control characters and white space become single spaces. Invisible characters that reverse or hide text are removed: the bidirectional controls
/// (Unicode Standard Annex #9), default ignorable code points (`Default_Ignorable_Code_Point`) and format characters, as Unicode Technical Report #36
/// advises. Invisible characters that letters need are kept: joiners in Arabic and Indic words and in emoji (after UAX #31, 2.3), the signs before
/// Arabic numbers, and variation selectors.
public enum CleanText {
  /// - Parameters:
  ///   - characters: the maximum number of characters; the rest is cut off.
  ///   - bytes: the maximum number of bytes in UTF-8, since a character may have any number of bytes.
  public static func line(_ text: String, characters: Int = 1000, bytes: Int = 16_000) -> String {
    if isPlain(text, within: min(characters, bytes)) { return text }
    // Bound the invisible characters too.
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

  /// The clean line without slashes and bars that stand alone at its ends. Such signs are left of a separator between title and author if either of
  /// the two is missing.
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

  /// Whether the text is printable ASCII with single spaces between words, like most of a library.
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

/// Builds a line scalar by scalar.
private struct KeptText {
  private var kept = String.UnicodeScalarView()
  private var bytes = 0
  private var isWordOver = false
  private var isCut = false

  mutating func endWord() { isWordOver = !kept.isEmpty }

  /// Adds a scalar, unless the line does not need it.
  /// - Returns: whether more text fits.
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

  /// The text. If the text was cut, a joiner at its end is removed, because the character that it joined is gone.
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

  /// Whether the scalar selects the appearance of the preceding character, for example an emoji in colour.
  fileprivate var isSelector: Bool {
    [0xFE00...0xFE0F, 0xE0100...0xE01EF, 0x180B...0x180F].contains { $0.contains(value) } || value == 0x034F
  }

  /// Format characters that are visible (`Prepended_Concatenation_Mark`).
  fileprivate var isNumberSign: Bool {
    [0x0600...0x0605, 0x06DD...0x06DD, 0x070F...0x070F, 0x0890...0x0891, 0x08E2...0x08E2].contains {
      $0.contains(value)
    } || value == 0x110BD || value == 0x110CD
  }

  /// - Parameters:
  ///   - last: the kept scalar before this one. Nil at the beginning of a word.
  ///   - next: the scalar after this one.
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

  /// Whether the scalar is a letter or mark of a script with joined letters: Arabic, Syriac, N'Ko, Mandaic, Mongolian, Phags-pa, Rohingya, Adlam.
  private var joins: Bool {
    isOfWord
      && [
        0x0600...0x08FF, 0x1800...0x18AF, 0xA840...0xA87F, 0xFB50...0xFDFF, 0xFE70...0xFEFE,
        0x10D00...0x10D3F,
        0x1E900...0x1E95F,
      ].contains { $0.contains(value) }
  }
}

import Foundation

/// Decodes MARC-8 in its two basic sets, ASCII and ANSEL (MARC 21 Specifications, "Code Table Extended Latin (ANSEL)"). In MARC-8, combining marks
/// precede their letter. Other scripts need escape sequences, and are not decoded.
enum MARC8 {
  /// - Returns: nil if the text has another script, or a code without a character.
  static func text(_ bytes: some Sequence<UInt8>) -> String? {
    var text = String.UnicodeScalarView()
    var marks: [Unicode.Scalar] = []
    for byte in bytes {
      switch byte {
      case 0x1B: return nil
      // Skip invisible characters: joiners, and the marks around a part that is ignored in sorting.
      case 0x88, 0x89, 0x8D, 0x8E: continue
      case 0..<0x80:
        text.append(Unicode.Scalar(byte))
        text.append(contentsOf: marks)
        marks.removeAll()
      default:
        if let mark = combining[byte] {
          guard marks.count < 4 else { return nil }
          marks.append(mark)
        } else if let letter = spacing[byte] {
          text.append(letter)
          text.append(contentsOf: marks)
          marks.removeAll()
        } else {
          return nil
        }
      }
    }
    return marks.isEmpty ? String(text).precomposedStringWithCanonicalMapping : nil
  }

  private static let spacing: [UInt8: Unicode.Scalar] = [
    0xA1: "\u{141}", 0xA2: "\u{D8}", 0xA3: "\u{110}", 0xA4: "\u{DE}", 0xA5: "\u{C6}", 0xA6: "\u{152}",
    0xA7: "\u{2B9}", 0xA8: "\u{B7}", 0xA9: "\u{266D}", 0xAA: "\u{AE}", 0xAB: "\u{B1}", 0xAC: "\u{1A0}",
    0xAD: "\u{1AF}", 0xAE: "\u{2BC}", 0xB0: "\u{2BB}", 0xB1: "\u{142}", 0xB2: "\u{F8}", 0xB3: "\u{111}",
    0xB4: "\u{FE}", 0xB5: "\u{E6}", 0xB6: "\u{153}", 0xB7: "\u{2BA}", 0xB8: "\u{131}", 0xB9: "\u{A3}",
    0xBA: "\u{F0}", 0xBC: "\u{1A1}", 0xBD: "\u{1B0}", 0xC0: "\u{B0}", 0xC1: "\u{2113}", 0xC2: "\u{2117}",
    0xC3: "\u{A9}", 0xC4: "\u{266F}", 0xC5: "\u{BF}", 0xC6: "\u{A1}", 0xC7: "\u{DF}", 0xC8: "\u{20AC}",
  ]

  private static let combining: [UInt8: Unicode.Scalar] = [
    0xE0: "\u{309}", 0xE1: "\u{300}", 0xE2: "\u{301}", 0xE3: "\u{302}", 0xE4: "\u{303}", 0xE5: "\u{304}",
    0xE6: "\u{306}", 0xE7: "\u{307}", 0xE8: "\u{308}", 0xE9: "\u{30C}", 0xEA: "\u{30A}", 0xEB: "\u{FE20}",
    0xEC: "\u{FE21}", 0xED: "\u{315}", 0xEE: "\u{30B}", 0xEF: "\u{310}", 0xF0: "\u{327}", 0xF1: "\u{328}",
    0xF2: "\u{323}", 0xF3: "\u{324}", 0xF4: "\u{325}", 0xF5: "\u{333}", 0xF6: "\u{332}", 0xF7: "\u{326}",
    0xF8: "\u{31C}", 0xF9: "\u{32E}", 0xFA: "\u{FE22}", 0xFB: "\u{FE23}", 0xFE: "\u{313}",
  ]
}

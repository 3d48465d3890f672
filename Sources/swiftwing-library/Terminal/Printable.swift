import Foundation

/// Text from outside, made fit for a terminal.
struct Printable {
  let text: String

  /// Without what a terminal would obey: control characters, and marks that turn the writing direction.
  init(_ text: String) {
    let obeyed: Set<UInt32> = Set(0x202A...0x202E).union(0x2066...0x2069).union([0x200E, 0x200F, 0x061C])
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar.properties.generalCategory == .control || obeyed.contains(scalar.value) ? " " : scalar
    }
    self.text = String(String.UnicodeScalarView(scalars))
  }

  /// Cut to `columns` of a terminal, where East Asian letters and pictures are two wide.
  func fitted(to columns: Int) -> String {
    guard text.reduce(0, { $0 + Self.width(of: $1) }) > columns else { return text }
    var (cut, width) = ("", 1)
    for character in text {
      width += Self.width(of: character)
      guard width <= columns else { break }
      cut.append(character)
    }
    return cut + "…"
  }

  private static func width(of character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    if scalar.properties.isEmojiPresentation { return 2 }
    return switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}

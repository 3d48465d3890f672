import Bibliography
import Foundation

/// The mark by which a book stands on its shelf, such as `813.54 ORU`, and what it is sorted by.
package struct CallNumber: Sendable, Equatable {
  /// By which rules a mark is sorted. A closed enumeration.
  package enum Scheme: String, Sendable, CaseIterable {
    /// Dewey Decimal Classification: three digits, a decimal fraction, then the letters of the book.
    case dewey
    /// Library of Congress Classification: one to three letters, a number, then cutters.
    case congress
  }

  /// As it stands in the list.
  package let text: String
  /// Nil for a mark of a library's own making, such as `Rom KAF`.
  package let scheme: Scheme?
  /// Sorted as text, byte by byte, books are in the order of their marks.
  package let key: String

  /// - Parameter scheme: the one that the list follows; nil when the mark alone is to tell it.
  /// - Returns: nil when nothing is in it.
  package init?(_ text: String, as scheme: Scheme? = nil) {
    let line = CleanText.line(text, characters: 200, bytes: 400)
    let folded = Self.folded(line)
    guard folded.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
    self.text = line
    // `QA76` is of the Library of Congress, `J 599` a collection and a number of Dewey's.
    let isJoined = folded.drop { $0.isLetter }.first?.isNumber == true && folded.first?.isLetter == true
    let joined = scheme == nil && isJoined ? CongressKey.key(folded) : nil
    let dewey = scheme == .congress || joined != nil ? nil : DeweyKey.key(folded)
    let congress = joined ?? (scheme == .dewey || dewey != nil ? nil : CongressKey.key(folded))
    self.scheme = dewey != nil ? .dewey : congress != nil ? .congress : nil
    key = dewey ?? congress ?? MarkTokens(folded[...]).padded
  }

  /// Upper case, without accents.
  private static func folded(_ text: String) -> String {
    let scalars = text.uppercased().decomposedStringWithCompatibilityMapping.unicodeScalars.filter {
      $0.properties.generalCategory != .nonspacingMark
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

/// Words and numbers of a mark, divided by whatever stands between.
struct MarkTokens {
  private var tokens: [Substring]

  init(_ text: Substring) { tokens = text.split { !$0.isLetter && !$0.isNumber } }

  /// Numbers by their value: volume 2 before volume 10.
  var padded: String { tokens.map(Self.padded).joined(separator: " ") }

  /// A number that stands by itself counts by its value; the digits of `O79` are a decimal fraction, and compare as they are.
  var fractions: String {
    tokens.enumerated().map { index, token in
      index > 0 && Self.isCounted(token)
        ? Self.padded(token) : token.allSatisfy(\.isNumber) ? Self.padded(token) : String(token)
    }.joined(separator: " ")
  }

  /// `V2`, `C10`: a volume or a copy.
  private static func isCounted(_ token: Substring) -> Bool {
    let label = token.prefix(while: \.isLetter)
    return ["V", "C", "VOL", "NO", "BD", "BAND", "PT", "TEIL"].contains(label) && label.count < token.count
      && token.dropFirst(label.count).allSatisfy(\.isNumber)
  }

  /// Each run of digits, nine long.
  static func padded(_ token: Substring) -> String {
    var (text, digits) = ("", "")
    func end() {
      if !digits.isEmpty { text += String(repeating: "0", count: max(0, 9 - digits.count)) + digits }
      digits = ""
    }
    for character in token {
      if character.isNumber {
        digits.append(character)
      } else {
        end()
        text.append(character)
      }
    }
    end()
    return text
  }
}

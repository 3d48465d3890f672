import Bibliography
import Foundation

/// The shelf mark of a book, such as `813.54 ORU`, with its sort key.
package struct CallNumber: Sendable, Equatable {
  /// The classification whose rules sort a mark. A closed enumeration.
  package enum Scheme: String, Sendable, CaseIterable {
    /// Dewey Decimal Classification: three digits, a decimal fraction, then the letters of the book.
    case dewey
    /// Library of Congress Classification: one to three letters, a number, then cutters.
    case congress
  }

  /// The mark as in the list.
  package let text: String
  /// The classification. Nil for a mark of a library's own system, such as `Rom KAF`.
  package let scheme: Scheme?
  /// The sort key. Comparing keys byte by byte gives the order of the marks.
  package let key: String

  /// - Parameter scheme: the classification of the list. Nil to recognise the classification by the mark alone.
  /// - Returns: nil if the mark has neither letters nor digits.
  package init?(_ text: String, as scheme: Scheme? = nil) {
    let line = CleanText.line(text, characters: 200, bytes: 400)
    let folded = Self.folded(line)
    guard folded.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
    self.text = line
    // `QA76` is a Library of Congress mark; `J 599` is a collection with a Dewey number.
    let isJoined = folded.drop { $0.isLetter }.first?.isNumber == true && folded.first?.isLetter == true
    let joined = scheme == nil && isJoined ? CongressKey.key(folded) : nil
    let dewey = scheme == .congress || joined != nil ? nil : DeweyKey.key(folded)
    let congress = joined ?? (scheme == .dewey || dewey != nil ? nil : CongressKey.key(folded))
    self.scheme = dewey != nil ? .dewey : congress != nil ? .congress : nil
    key = dewey ?? congress ?? MarkTokens(folded[...]).padded
  }

  /// The text in upper case, without accents.
  private static func folded(_ text: String) -> String {
    let scalars = text.uppercased().decomposedStringWithCompatibilityMapping.unicodeScalars.filter {
      $0.properties.generalCategory != .nonspacingMark
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

/// The words and numbers of a mark, split at all other characters.
struct MarkTokens {
  private var tokens: [Substring]

  init(_ text: Substring) { tokens = text.split { !$0.isLetter && !$0.isNumber } }

  /// The tokens with padded numbers, so that volume 2 sorts before volume 10.
  var padded: String { tokens.map(Self.padded).joined(separator: " ") }

  /// The tokens with padded separate numbers, so that these sort by value. The digits of `O79` are a decimal fraction and are not padded.
  var fractions: String {
    tokens.enumerated().map { index, token in
      index > 0 && Self.isCounted(token)
        ? Self.padded(token) : token.allSatisfy(\.isNumber) ? Self.padded(token) : String(token)
    }.joined(separator: " ")
  }

  /// Whether the token is a volume or a copy: `V2`, `C10`.
  private static func isCounted(_ token: Substring) -> Bool {
    let label = token.prefix(while: \.isLetter)
    return ["V", "C", "VOL", "NO", "BD", "BAND", "PT", "TEIL"].contains(label) && label.count < token.count
      && token.dropFirst(label.count).allSatisfy(\.isNumber)
  }

  /// The token with each run of digits padded to nine digits.
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

/// Validates International Standard Book Numbers (ISO 2108; ISBN Users' Manual, section 4, for the check digits).
public enum ISBN {
  /// The thirteen digits of a text that is an ISBN-10 or ISBN-13. Nil if the text is not an ISBN, or if its check digit is wrong.
  ///
  /// Dashes and spaces of every kind, digits of every script, brackets, `ISBN`, `ISBN-13:` and `urn:isbn:` are allowed.
  public static func normalize(_ text: String) -> String? {
    guard text.utf8.count <= 200 else { return nil }
    return plain(text) ?? ISBNText(text).only
  }

  /// The ISBNs in a cell or field of a list, which may have any number of them, with other text between and after them.
  package static func read(_ text: String) -> ISBNReading {
    plain(text).map { ISBNReading(isbns: [$0]) } ?? ISBNText(text).reading
  }

  /// A fast path for texts of exactly thirteen digits, as most are.
  private static func plain(_ text: String) -> String? {
    guard text.utf8.count == 13, text.utf8.allSatisfy(isDigit) else { return nil }
    return thirteen(text.utf8.map { $0 - UInt8(ascii: "0") })
  }

  /// - Parameter digits: ten digits, the last of which may be 10 for `X`, or thirteen.
  static func thirteen(_ digits: [UInt8]) -> String? {
    switch digits.count {
    case 10:
      let sum = digits.enumerated().reduce(0) { $0 + (10 - $1.offset) * Int($1.element) }
      guard sum % 11 == 0, digits.dropLast().allSatisfy({ $0 < 10 }) else { return nil }
      let body = [9, 7, 8] + digits.dropLast()
      return text(body + [check(body)])
    case 13:
      guard hasPrefix(digits), digits.allSatisfy({ $0 < 10 }), check(digits.dropLast()) == digits[12] else {
        return nil
      }
      return text(digits)
    default: return nil
    }
  }

  static func hasPrefix(_ digits: [UInt8]) -> Bool {
    digits.starts(with: [9, 7, 8]) || (digits.starts(with: [9, 7, 9]) && !isMusic(digits))
  }

  /// Whether thirteen digits are those of an International Standard Music Number (ISO 10957).
  static func isMusic(_ digits: [UInt8]) -> Bool { digits.starts(with: [9, 7, 9, 0]) }

  private static func check(_ digits: some Collection<UInt8>) -> UInt8 {
    let sum = digits.enumerated().reduce(0) {
      $0 + ($1.offset.isMultiple(of: 2) ? 1 : 3) * Int($1.element)
    }
    return UInt8((10 - sum % 10) % 10)
  }

  private static func text(_ digits: [UInt8]) -> String {
    String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
  }
}

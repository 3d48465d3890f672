/// International Standard Book Numbers (ISO 2108; ISBN Users' Manual, section 4, for the check digits).
public enum ISBN {
  /// The thirteen digits of an ISBN-10 or ISBN-13, hyphens and spaces allowed; `nil` when the check digit does not hold.
  public static func normalize(_ text: String) -> String? {
    guard text.utf8.count <= 32 else { return nil }
    let characters = Array(text.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") })
    switch characters.count {
    case 10: return fromTen(characters)
    case 13:
      guard let digits = digits(characters), digits.starts(with: [9, 7]), digits[2] == 8 || digits[2] == 9,
        check(digits.prefix(12)) == digits[12]
      else { return nil }
      return text13(digits)
    default: return nil
    }
  }

  private static func fromTen(_ characters: [UInt8]) -> String? {
    guard let digits = digits(Array(characters.prefix(9))) else { return nil }
    let last = characters[9]
    let isX = last == UInt8(ascii: "X") || last == UInt8(ascii: "x")
    guard let check = isX ? 10 : self.digits([last])?.first else { return nil }
    let sum = digits.enumerated().reduce(check) { $0 + (10 - $1.offset) * $1.element }
    guard sum % 11 == 0 else { return nil }
    let body = [9, 7, 8] + digits
    return text13(body + [self.check(body[...])])
  }

  private static func check(_ digits: ArraySlice<Int>) -> Int {
    let sum = digits.enumerated().reduce(0) { $0 + ($1.offset.isMultiple(of: 2) ? 1 : 3) * $1.element }
    return (10 - sum % 10) % 10
  }

  private static func digits(_ characters: [UInt8]) -> [Int]? {
    guard characters.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return characters.map { Int($0) - 48 }
  }

  private static func text13(_ digits: [Int]) -> String { digits.map(String.init).joined() }
}

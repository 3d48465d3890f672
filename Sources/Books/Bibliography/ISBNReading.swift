/// The ISBNs found in a text of a list.
package struct ISBNReading: Equatable, Sendable {
  /// The ISBNs, thirteen digits each, in their order, without repetitions.
  package var isbns: [String] = []
  /// The reason why the text has no ISBN, as a sentence without a full stop. Nil if the text has an ISBN or is empty.
  package var trouble: String?
  /// The text that `trouble` describes.
  package var text: String?
  /// The number that a spreadsheet has made of an ISBN. Nil if the text is no such number.
  package var rounded: RoundedISBN?

  package init(isbns: [String] = []) { self.isbns = isbns }
}

/// An ISBN that a spreadsheet took for a number and wrote as `9.78031E+12`.
package struct RoundedISBN: Equatable, Sendable {
  /// The leading digits that the spreadsheet kept.
  private var digits: [UInt8]
  /// The number of digits before rounding, 13 or 10.
  private var length: Int

  /// - Parameter text: the text in lower case, with its digits and letters in ASCII.
  init?(_ text: [UInt8]) {
    let parts = text.split(separator: UInt8(ascii: "e"), omittingEmptySubsequences: false)
    guard parts.count == 2, let first = parts[0].first, isDigit(first) else { return nil }
    let power = parts[1].first == UInt8(ascii: "+") ? parts[1].dropFirst() : parts[1]
    guard (1...2).contains(power.count), power.allSatisfy(isDigit) else { return nil }
    let fraction = parts[0].dropFirst()
    guard fraction.isEmpty || ".,".utf8.contains(fraction.first ?? 0),
      fraction.dropFirst().allSatisfy(isDigit)
    else { return nil }
    digits = ([first] + fraction.dropFirst()).map { $0 - UInt8(ascii: "0") }
    length = power.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } + 1
  }

  /// All digits of the ISBN. Nil if rounding has lost some.
  var whole: [UInt8]? { digits.count == length ? digits : nil }

  /// Whether `isbn`, rounded to as many digits as the spreadsheet kept, has exactly the kept digits.
  /// - Parameter isbn: thirteen digits.
  package func fits(_ isbn: String) -> Bool {
    guard length == 13, digits.count < 13, let number = Int(isbn), isbn.utf8.count == 13 else { return false }
    let unit = (digits.count..<13).reduce(1) { unit, _ in unit * 10 }
    return (number + unit / 2) / unit == digits.reduce(0) { $0 * 10 + Int($1) }
  }
}

func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

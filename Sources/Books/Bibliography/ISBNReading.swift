/// What a text of a list has for ISBNs.
package struct ISBNReading: Equatable, Sendable {
  /// Thirteen digits each, in their order, each once.
  package var isbns: [String] = []
  /// Why there is none, as a sentence about the text without its full stop; nil where there is one, and where the text is empty.
  package var trouble: String?
  /// The text that the trouble is with.
  package var text: String?
  /// The number that a spreadsheet has made of one, if it is one.
  package var rounded: RoundedISBN?

  package init(isbns: [String] = []) { self.isbns = isbns }
}

/// An ISBN that a spreadsheet took for a number and wrote as `9.78031E+12`.
package struct RoundedISBN: Equatable, Sendable {
  /// The digits that are left of it, the first of 13 or 10 before the others.
  private var digits: [UInt8]
  /// How many digits the number has.
  private var length: Int

  /// - Parameter text: lower case, digits and letters in ASCII.
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

  /// All digits, where none was lost.
  var whole: [UInt8]? { digits.count == length ? digits : nil }

  /// Whether it may be this one.
  /// - Parameter isbn: thirteen digits.
  package func fits(_ isbn: String) -> Bool {
    guard length == 13, digits.count < 13, let number = Int(isbn), isbn.utf8.count == 13 else { return false }
    let unit = (digits.count..<13).reduce(1) { unit, _ in unit * 10 }
    return (number + unit / 2) / unit == digits.reduce(0) { $0 * 10 + Int($1) }
  }
}

func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

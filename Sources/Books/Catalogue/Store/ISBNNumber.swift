import Bibliography

/// An ISBN as stored in the catalogue's file: its thirteen digits as one number.
struct ISBNNumber: Hashable {
  let value: Int64

  /// Parses an ISBN. Nil if the check digit is wrong.
  init?(_ text: String) {
    guard let digits = ISBN.normalize(text), let value = Int64(digits) else { return nil }
    self.value = value
  }

  /// An ISBN from the file. Nil if it does not have thirteen digits that begin with 978 or 979.
  init?(stored value: Int64) {
    guard (9_780_000_000_000...9_799_999_999_999).contains(value) else { return nil }
    self.value = value
  }

  var text: String { String(value) }
}

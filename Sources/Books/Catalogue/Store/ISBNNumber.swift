import Bibliography

/// An ISBN as the catalogue's file has it: its thirteen digits as one number.
struct ISBNNumber: Hashable {
  let value: Int64

  /// Nil when the check digit does not hold.
  init?(_ text: String) {
    guard let digits = ISBN.normalize(text), let value = Int64(digits) else { return nil }
    self.value = value
  }

  /// One of the file; nil when it has not thirteen digits.
  init?(stored value: Int64) {
    guard (9_780_000_000_000...9_799_999_999_999).contains(value) else { return nil }
    self.value = value
  }

  var text: String { String(value) }
}

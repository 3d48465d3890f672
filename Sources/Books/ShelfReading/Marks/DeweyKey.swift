/// What a mark of the Dewey Decimal Classification is sorted by.
///
/// The rules are those that libraries shelve by (Koha's `C4::ClassSortRoutine::Dewey` has the same order): letters before the number, such as
/// `REF` or `J`, are a collection of their own; then the three digits; then what follows the point as a decimal fraction, so that 813.54
/// stands before 813.6; then nothing before something, and the book's letters and cutter, letter for letter. Volumes, copies and years count
/// by their value, where Koha has volume 10 before 2. Slashes and apostrophes in a number say where it may be cut, and do not count (MARC 21, 082 $a).
enum DeweyKey {
  /// - Parameter mark: upper case, without accents.
  /// - Returns: nil when it is none.
  static func key(_ mark: String) -> String? {
    var rest = mark.drop(while: \.isWhitespace)
    let collection = rest.prefix { $0.isLetter }
    guard collection.count <= 5 else { return nil }
    rest = rest.dropFirst(collection.count).drop { $0.isWhitespace || $0 == "." }
    let number = rest.prefix(while: isDigit)
    guard number.count == 3 else { return nil }
    rest = rest.dropFirst(3)
    let fraction = fraction(&rest)
    guard rest.first.map({ $0.isWhitespace || $0.isLetter || ".-/".contains($0) }) ?? true else { return nil }
    let item = MarkTokens(rest).fractions
    return "\(collection) \(number)\(fraction)" + (item.isEmpty ? "" : " \(item)")
  }

  /// The digits behind the point, without zeros at their end.
  private static func fraction(_ rest: inout Substring) -> String {
    let mark = rest.drop { "/'\u{2019} ".contains($0) }
    guard mark.first == ".", mark.dropFirst().first.map(isDigit) == true else { return "" }
    rest = mark.dropFirst()
    var digits = ""
    while let next = rest.first, isDigit(next) || "/'\u{2019}".contains(next) {
      // A slash before letters does not belong to the number.
      guard isDigit(next) || rest.dropFirst().first.map(isDigit) == true else { break }
      if isDigit(next) { digits.append(next) }
      rest.removeFirst()
    }
    while digits.last == "0" { digits.removeLast() }
    return digits
  }

  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}

/// The sort key of a Dewey Decimal Classification mark.
///
/// The rules are those by which libraries shelve; Koha's `C4::ClassSortRoutine::Dewey` has the same order, with one exception. Letters before the
/// number, such as `REF` or `J`, are a separate collection. The three digits follow; then the digits after the point as a decimal fraction, so that
/// 813.54 sorts before 813.6; then the book's letters and cutter, letter by letter. A missing part sorts before a present one. Volumes, copies and
/// years sort by their value; here Koha differs, and sorts volume 10 before 2. Slashes and apostrophes in a number mark where the number may be cut,
/// and are ignored (MARC 21, 082 $a).
enum DeweyKey {
  /// - Parameter mark: the mark in upper case, without accents.
  /// - Returns: nil if `mark` is not a Dewey mark.
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

  /// The digits after the point, without trailing zeros.
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

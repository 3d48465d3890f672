/// One assignment of roles to all words of a spine, with the probability that it is right.
struct PartWay {
  var roles: [SpinePart.Role]
  var probability: Double

  /// The gain of a right title. A gain of 1 is added if both fields are right. `scripts/fit-parts` uses the same values.
  static let gainOfTitle = 1.0
  /// The gain if enough words of the right title (see `most`) are in the title or the author, whichever of the two. Because of this
  /// gain, a doubtful word goes into the wrong field rather than into none.
  static let gainOfWords = 2.0
  /// The least share of a title's words that must be in the title or the author for `gainOfWords`.
  static let most = 0.8
  /// The share of a title's letters that may be missing or too many in a title that is nearly right.
  static let edits = 0.1

  /// Returns the gain of this labelling in the case that `right` is the right labelling, times the probability of that case.
  func gain(if right: PartWay) -> Double {
    let words = zip(roles, right.roles)
    let isTitle = words.allSatisfy { ($0 == .title) == ($1 == .title) }
    let isAuthor = words.allSatisfy { ($0 == .author) == ($1 == .author) }
    let title = words.filter { $0.1 == .title }
    let holdsTitle = Double(title.count { $0.0 != .other }) >= Self.most * Double(title.count)
    return right.probability
      * ((isTitle && isAuthor ? 1 : 0) + (isTitle ? Self.gainOfTitle : 0)
        + (holdsTitle ? Self.gainOfWords : 0))
  }

  /// Whether title and author are right or nearly so if other roles are the right ones: the titles differ in words of at most
  /// `edits` of the longer title's letters, and the last word of the right author, mostly the surname, is in the author, or neither
  /// labelling has an author.
  /// - Parameter letters: the number of letters and digits of each word.
  func isNear(_ right: [SpinePart.Role], letters: [Int]) -> Bool {
    let words = zip(zip(roles, right).map { ($0.0 == .title, $0.1 == .title) }, letters)
    let count = { (isCounted: ((Bool, Bool)) -> Bool) in
      words.reduce(0) { $0 + (isCounted($1.0) ? $1.1 : 0) }
    }
    let isTitle = Double(count { $0.0 != $0.1 }) <= Self.edits * Double(max(count(\.0), count(\.1)))
    return isTitle
      && (right.lastIndex(of: .author).map { roles[$0] == .author } ?? !roles.contains(.author))
  }
}

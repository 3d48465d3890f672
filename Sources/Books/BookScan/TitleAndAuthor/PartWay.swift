/// One way to give every word of a spine its role, and how likely it is the right one.
struct PartWay {
  var roles: [SpinePart.Role]
  var probability: Double

  /// Of a right title, beside one for both fields; as fit-parts has it.
  static let gainOfTitle = 1.0
  /// Of a title whose words are in title or author: a word that is doubtful is rather in a field too many than in none.
  static let gainOfWords = 2.0
  /// Of a title's words, that are as good as all of it.
  static let most = 0.8

  /// What choosing this way gains, if another is right, times how likely that one is.
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
}

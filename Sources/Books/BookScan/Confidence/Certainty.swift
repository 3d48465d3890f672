/// What a record of a photo is taken for. Closed: a program may list all three.
public enum Certainty: String, Sendable, Codable, CaseIterable {
  /// A book on this shelf whose title and author are both right: of 100 such records on photographs that no fit of them has seen 90 were at the accurate
  /// level, and 86 at the fast one.
  case sure
  /// Probably a book; a person should look at it.
  case doubtful
  /// Probably no book on this shelf, or too little of its title. Kept apart for a person.
  case unlikely

  /// As people are shown it.
  public var label: String {
    switch self {
    case .sure: "sure"
    case .doubtful: "look at it"
    case .unlikely: "not a book"
    }
  }
}

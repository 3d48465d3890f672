/// The verdict on a record of a photo. Closed: a program may switch over all three cases.
public enum Certainty: String, Sendable, Codable, CaseIterable {
  /// A book on this shelf whose title and author are both right. On photographs that were not used for fitting, 90 of 100 such
  /// records were right at the accurate level, and 85 at the fast one.
  case sure
  /// Probably a book; a person should check it.
  case doubtful
  /// Probably no book on this shelf, or a record with too small a part of the title. Kept apart for a person to review.
  case unlikely

  /// The words shown to people.
  public var label: String {
    switch self {
    case .sure: "sure"
    case .doubtful: "look at it"
    case .unlikely: "not a book"
    }
  }
}

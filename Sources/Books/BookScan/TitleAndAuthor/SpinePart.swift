/// A run of words on a spine that share one role.
public struct SpinePart: Sendable, Hashable, Codable {
  /// The role of words. Closed: a program may switch over all three cases.
  public enum Role: String, Sendable, Hashable, Codable, CaseIterable {
    /// The title, with a subtitle that is printed like it.
    case title
    /// A person who wrote or edited the book.
    case author
    /// Publisher, series, edition, shelf mark, sticker, praise.
    case other
  }

  /// The role of the words.
  public var role: Role
  /// The text as it was read.
  public var text: String
  /// The probability that the words have this role, 0…1: that of the least probable word.
  public var probability: Double

  /// Creates a part; nothing is checked.
  /// - Parameter probability: the probability that the words have the role, 0…1.
  public init(role: Role, text: String, probability: Double) {
    (self.role, self.text, self.probability) = (role, text, probability)
  }
}

/// A run of words on a spine that share one role.
public struct SpinePart: Sendable, Hashable, Codable {
  /// The role of words. Closed: a program may list all three.
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
  /// The least probability, of all its words, that the word has this role, 0…1.
  public var probability: Double

  /// Creates a part; nothing is checked.
  /// - Parameter probability: 0…1.
  public init(role: Role, text: String, probability: Double) {
    (self.role, self.text, self.probability) = (role, text, probability)
  }
}

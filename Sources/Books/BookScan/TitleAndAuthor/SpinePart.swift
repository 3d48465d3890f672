/// A run of words on a spine that have one part.
public struct SpinePart: Sendable, Hashable, Codable {
  /// What the words are. Closed: a program may list all three.
  public enum Role: String, Sendable, Hashable, Codable, CaseIterable {
    /// The title, with a subtitle that is printed like it.
    case title
    /// Who wrote or edited it.
    case author
    /// Publisher, series, edition, shelf mark, sticker, praise.
    case other
  }

  /// What the words are.
  public var role: Role
  /// As it was read.
  public var text: String
  /// That each of its words has this role: the least of them, 0…1.
  public var probability: Double

  /// A part as it is; nothing is checked.
  /// - Parameter probability: 0…1.
  public init(role: Role, text: String, probability: Double) {
    (self.role, self.text, self.probability) = (role, text, probability)
  }
}

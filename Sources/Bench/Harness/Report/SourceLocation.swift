/// A line of a file of the repository.
public struct SourceLocation: Sendable, Hashable, Codable {
  /// Relative to the repository's root, with `/` between its parts.
  public var file: String
  /// The first is 1.
  public var line: Int
}

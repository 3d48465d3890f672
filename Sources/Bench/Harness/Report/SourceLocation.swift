/// A line in a file of the repository.
public struct SourceLocation: Sendable, Hashable, Codable {
  /// Path relative to the root of the repository, with `/` between components.
  public var file: String
  /// Line number, from 1.
  public var line: Int
}

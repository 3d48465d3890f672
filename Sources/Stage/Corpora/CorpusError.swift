/// An error of opening, reading, creating or writing a corpus.
public struct CorpusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure, for callers to decide by. New kinds may be added.
  public enum Kind: String, Sendable {
    /// There is no such corpus, folder or file.
    case notFound
    /// The system refused: no permission, a full disk, a broken disk.
    case system
    /// The content of a corpus file violates the format.
    case malformed
    /// A number or a size exceeds the limits of a corpus.
    case limit
    /// A file name leads out of the corpus folder.
    case unsafeName
    /// A required program is not installed, or failed.
    case tool
  }

  /// The kind of failure.
  public let kind: Kind
  /// The failed action with its object: "open the corpus Corpus/shelf-pan".
  public let action: String
  /// The reason, as a clause.
  public let reason: String
  /// The remedy for the user, as a clause.
  public let remedy: String

  /// Creates an error. Control characters in the texts are replaced when it is printed.
  public init(_ kind: Kind, _ action: String, reason: String, remedy: String) {
    self.kind = kind
    self.action = action
    self.reason = reason
    self.remedy = remedy
  }

  /// One sentence for a person, safe to print.
  public var description: String { "C\(clause.dropFirst())." }

  /// The description without capital and full stop, for use in another sentence.
  public var clause: String { Self.printable("cannot \(action): \(reason); \(remedy)") }

  /// Whether the corpus may be available at another time or for another user. Otherwise its content is wrong.
  public var isUnavailability: Bool { kind == .notFound || kind == .system }

  /// Returns the text with control characters replaced by `?`, because foreign names may contain anything, including terminal commands.
  static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}

/// Why a corpus could not be opened, read, made or written.
public struct CorpusError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: String, Sendable {
    /// There is no such corpus, folder or file.
    case notFound
    /// The system refused: permission, a full disk, a broken disk.
    case system
    /// A file of the corpus does not hold what the format asks for.
    case malformed
    /// A number or a size is beyond what a corpus may have.
    case limit
    /// A file name that would lead out of the corpus folder.
    case unsafeName
    /// A program that is needed is not installed, or failed.
    case tool
  }

  public let kind: Kind
  /// What was being done, with what: "open the corpus Corpus/shelf-pan".
  public let action: String
  public let reason: String
  public let remedy: String

  public init(_ kind: Kind, _ action: String, reason: String, remedy: String) {
    self.kind = kind
    self.action = action
    self.reason = reason
    self.remedy = remedy
  }

  public var description: String { Self.printable("Cannot \(action): \(reason); \(remedy).") }

  /// Names from outside may hold anything, terminal commands too: control characters become `?`.
  static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}

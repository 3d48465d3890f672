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

  public var description: String { "C\(clause.dropFirst())." }

  /// The same without capital and full stop, to go into another sentence.
  public var clause: String { Self.printable("cannot \(action): \(reason); \(remedy)") }

  /// The corpus may be there another time, or for another user; otherwise what it holds is wrong.
  public var isUnavailability: Bool { kind == .notFound || kind == .system }

  /// Names from outside may hold anything, terminal commands too: control characters become `?`.
  static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}

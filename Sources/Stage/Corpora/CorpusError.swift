/// Why a corpus could not be opened, read, made or written.
public struct CorpusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, so that a caller can choose what to do; new kinds may be added.
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

  /// What went wrong.
  public let kind: Kind
  /// What was being done, with what: "open the corpus Corpus/shelf-pan".
  public let action: String
  /// Why it could not be done, as a clause.
  public let reason: String
  /// What the user can do, as a clause.
  public let remedy: String

  /// An error in the words of this room; control characters in them are made harmless where they are printed.
  public init(_ kind: Kind, _ action: String, reason: String, remedy: String) {
    self.kind = kind
    self.action = action
    self.reason = reason
    self.remedy = remedy
  }

  /// One sentence for a person, safe to print.
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

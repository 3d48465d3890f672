/// The explanation of each requirement, in the words of `docs/requirements.md`. That page is compiled in, so that reports and lists explain an
/// id without a network, and without a second text that could differ.
public struct RequirementGuide: Sendable {
  /// A requirement with its explanation.
  public struct Entry: Sendable, Hashable, Codable {
    /// The stable id.
    public var id: RequirementID
    /// Title of a few words, such as `glass-to-glass latency`.
    public var title: String
    /// Explanation in one or a few sentences of plain text.
    public var explanation: String
  }

  /// The guide from the page that this program was built with.
  public static let standard = RequirementGuide(
    markdown: String(decoding: PackageResources.requirements_md, as: UTF8.self))

  /// The entries, in the order of the page.
  public let entries: [Entry]

  /// Parses a page in which each requirement has a heading `### <a id="lat-1"></a>LAT-1: title`, a blank line, and a paragraph. Anything else is
  /// skipped.
  public init(markdown: String) {
    let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)
    entries = lines.indices.compactMap { Self.entry(at: $0, of: lines) }
  }

  /// The entry of an id. Nil if the page does not explain the id, for example one in a report of a later version.
  public subscript(id: RequirementID) -> Entry? { entries.first { $0.id == id } }

  private static func entry(at index: Int, of lines: [Substring]) -> Entry? {
    guard lines[index].hasPrefix("### "),
      let heading = lines[index].wholeMatch(of: /### <a id="([a-z0-9-]+)"><\/a>([A-Z]+-[0-9]+): (.+)/),
      heading.1 == heading.2.lowercased()
    else { return nil }
    let paragraph = lines[(index + 1)...].drop(while: \.isEmpty).prefix { !$0.isEmpty }
    return Entry(
      id: RequirementID(String(heading.2)), title: plain(String(heading.3)),
      explanation: plain(paragraph.joined(separator: " ")))
  }

  /// Strips the Markdown marks that the page uses: code and links.
  private static func plain(_ markdown: String) -> String {
    markdown.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }.replacing("`", with: "")
  }
}

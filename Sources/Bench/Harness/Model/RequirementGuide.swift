/// What each requirement asks, in the words of `docs/requirements.md`. That page is compiled in, so that reports and lists
/// explain an id without a network and without a second text that could differ.
public struct RequirementGuide: Sendable {
  /// One requirement, explained.
  public struct Entry: Sendable, Hashable, Codable {
    /// Its stable id.
    public var id: RequirementID
    /// A few words, such as `glass-to-glass latency`.
    public var title: String
    /// One or a few sentences, as plain text.
    public var explanation: String
  }

  /// The page that this program was built with.
  public static let standard = RequirementGuide(
    markdown: String(decoding: PackageResources.requirements_md, as: UTF8.self))

  /// In the order of the page.
  public let entries: [Entry]

  /// Reads a page in which each requirement has a heading `### <a id="lat-1"></a>LAT-1: title`, a blank line, and a paragraph.
  /// What does not look like that is left out.
  public init(markdown: String) {
    let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)
    entries = lines.indices.compactMap { Self.entry(at: $0, of: lines) }
  }

  /// Nil for an id that the page does not explain, such as one in a report of a later version.
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

  /// Without the marks of Markdown that the page uses: code and links.
  private static func plain(_ markdown: String) -> String {
    markdown.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }.replacing("`", with: "")
  }
}

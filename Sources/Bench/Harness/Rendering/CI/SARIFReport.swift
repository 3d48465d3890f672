public import Foundation

/// The scenarios that need attention, as SARIF 2.1.0 (OASIS): a scenario is a rule, a failure a result. A result points at the file that the
/// user names, or at the declaration of its scenario in the repository, or, outside of that repository, at the explanation of its requirement in
/// `docs/requirements.md`; never at a path of the machine.
public struct SARIFReport: Sendable {
  /// The report shown.
  public let report: Report
  /// The file that every result points at. Nil for the declaration of each scenario.
  public let file: String?

  /// Creates the SARIF report. Nothing is judged again.
  /// - Parameter file: a file of the user that all results shall point at, relative to the root of the repository (`RepositoryPath`). Any other
  ///   path is ignored.
  public init(_ report: Report, file: String? = nil) {
    self.report = report
    self.file = file.flatMap(RepositoryPath.init)?.uri
  }

  /// The whole document.
  public var json: Data {
    let failing = report.scenarios.filter(\.verdict.needsAttention)
    let driver = Driver(
      name: "SwiftWing", version: report.tool.version, rules: failing.map(Rule.init))
    let results = failing.enumerated().map { Result($1, rule: $0, file: file) }
    let document = Document(runs: [Run(tool: Tool(driver: driver), results: results)])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // The document contains only strings and integers, which JSON can always express.
    return (try? encoder.encode(document)) ?? Data()
  }

  private struct Document: Encodable {
    let version = "2.1.0"
    let schema = "https://json.schemastore.org/sarif-2.1.0.json"
    let runs: [Run]

    enum CodingKeys: String, CodingKey {
      case version, runs
      case schema = "$schema"
    }
  }

  private struct Run: Encodable {
    let tool: Tool
    let results: [Result]
    let columnKind = "utf16CodeUnits"
  }

  private struct Tool: Encodable { let driver: Driver }

  private struct Driver: Encodable {
    let name: String
    let version: String
    let rules: [Rule]
  }

  private struct Text: Encodable { let text: String }

  private struct Rule: Encodable {
    let id: String
    let shortDescription: Text
    let fullDescription: Text
    let help: Text

    init(_ scenario: ScenarioReport) {
      id = scenario.id
      shortDescription = Text(text: scenario.title)
      fullDescription = Text(text: scenario.purpose)
      help = Text(text: "Again: \(scenario.reproduce)")
    }
  }

  private struct Result: Encodable {
    struct Artifact: Encodable {
      let uri: String
      /// The root of the repository, by the name that code scanning uses.
      let uriBaseId = "%SRCROOT%"
    }
    struct Region: Encodable { let startLine: Int }
    struct Physical: Encodable {
      let artifactLocation: Artifact
      let region: Region
    }
    struct Logical: Encodable {
      let fullyQualifiedName: String
      let kind = "function"
    }
    struct Location: Encodable {
      let physicalLocation: Physical
      let logicalLocations: [Logical]
    }

    let ruleId: String
    let ruleIndex: Int
    let level: String
    let message: Text
    let locations: [Location]
    let partialFingerprints: [String: String]

    init(_ scenario: ScenarioReport, rule: Int, file: String?) {
      ruleId = scenario.id
      ruleIndex = rule
      level = scenario.verdict == .fail || scenario.verdict == .regressed ? "error" : "warning"
      message = Text(text: "\(scenario.verdict.rawValue): \(scenario.reason)")
      let own = CodeFinding(scenario).location
      let uri = file ?? RepositoryPath(own.path)?.uri ?? "docs/requirements.md"
      let place = Physical(
        artifactLocation: Artifact(uri: uri), region: Region(startLine: file == nil ? max(1, own.line) : 1))
      locations = [
        Location(physicalLocation: place, logicalLocations: [Logical(fullyQualifiedName: scenario.id)])
      ]
      partialFingerprints = ["scenario/v1": scenario.id]
    }
  }
}

/// The path of a file, relative to the root of a repository.
public struct RepositoryPath: Sendable, Hashable {
  /// The components of the path, without `.`.
  private let parts: [Substring]

  /// - Returns: nil for an empty or absolute path, one that leaves the repository (`..`), and one with control characters.
  public init?(_ text: String) {
    guard !text.hasPrefix("/"), text.utf8.count <= 4096,
      text.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
    else { return nil }
    parts = text.split(separator: "/").filter { $0 != "." }
    if parts.isEmpty || parts.contains("..") { return nil }
  }

  /// The path as a relative reference (RFC 3986): reserved characters are encoded as `%XX`.
  var uri: String {
    parts.map { $0.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? "" }.joined(separator: "/")
  }

  /// The unreserved characters. The colon is not among them: in the first component it would end a scheme.
  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+@")
}

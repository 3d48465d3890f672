public import Foundation

/// What failed, as SARIF 2.1.0 (OASIS): a scenario is a rule, a failure a result. The location is the source measured.
public struct SARIFReport: Sendable {
  /// What is shown.
  public let report: Report

  /// The report in that form; nothing is judged anew.
  public init(_ report: Report) { self.report = report }

  /// The whole document.
  public var json: Data {
    let failing = report.scenarios.filter(\.verdict.needsAttention)
    let driver = Driver(
      name: "SwiftWing", version: report.tool.version, rules: failing.map(Rule.init))
    let uri = "report.json"
    let results = failing.map { Result($0, uri: uri) }
    let document = Document(runs: [Run(tool: Tool(driver: driver), results: results)])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Only strings: there is nothing in it JSON cannot express.
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
    struct Location: Encodable {
      struct Physical: Encodable { let artifactLocation: [String: String] }
      let physicalLocation: Physical
    }

    let ruleId: String
    let level: String
    let message: Text
    let locations: [Location]
    let partialFingerprints: [String: String]

    init(_ scenario: ScenarioReport, uri: String) {
      ruleId = scenario.id
      level = scenario.verdict == .fail || scenario.verdict == .regressed ? "error" : "warning"
      message = Text(text: "\(scenario.verdict.rawValue): \(scenario.reason)")
      locations = [Location(physicalLocation: .init(artifactLocation: ["uri": uri]))]
      partialFingerprints = ["scenario/v1": scenario.id]
    }
  }
}

import Foundation

/// Findings of `v4l2-compliance` that are known for what they are: faults of the tool or of a stock driver. Data, in
/// `Embedded/known-findings.json`.
struct KnownFindings: Sendable, Codable {
  struct Entry: Sendable, Codable {
    /// `VIDIOC_QUERYCAP`'s word; `*` for any.
    var driver: String
    /// The beginning of the tool's version; empty for any.
    var tool: String
    var grade: String
    /// The test's name, or its beginning.
    var test: String
    /// What a message must contain; empty for any.
    var message: String
    /// Whose fault it is, and why it is none of the camera's, as a sentence.
    var reason: String
  }

  var schema: String
  var findings: [Entry]

  static let schema = "swiftwing-known-findings/1"

  static func load() throws -> KnownFindings {
    try decode(Data(PackageResources.known_findings_json))
  }

  static func decode(_ data: Data) throws -> KnownFindings {
    let known = try JSONDecoder().decode(KnownFindings.self, from: data)
    guard known.schema == schema else {
      throw ComplianceError("known-findings.json has the schema \(known.schema)")
    }
    return known
  }

  /// Why the finding is known; nil for one that is not. Each of its messages must be: another failure of the same test would hide otherwise.
  func reason(for finding: ComplianceOutput.Finding, driver: String, version: String) -> String? {
    let entries = findings.filter { entry in
      (entry.driver == "*" || entry.driver == driver) && version.hasPrefix(entry.tool)
        && entry.grade == finding.grade.rawValue && finding.test.hasPrefix(entry.test)
    }
    let messages = finding.messages.isEmpty ? [""] : finding.messages
    var reasons: [String] = []
    for message in messages {
      guard let entry = entries.first(where: { $0.message.isEmpty || message.contains($0.message) }) else {
        return nil
      }
      if !reasons.contains(entry.reason) { reasons.append(entry.reason) }
    }
    return reasons.joined(separator: " ")
  }
}

struct ComplianceError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

import Foundation

/// Known findings of `v4l2-compliance` that are faults of the tool or of a stock driver. Data, in `Embedded/known-findings.json`.
struct KnownFindings: Sendable, Codable {
  struct Entry: Sendable, Codable {
    /// The driver's name in `VIDIOC_QUERYCAP`; `*` for any.
    var driver: String
    /// A prefix of the tool's version; empty for any.
    var tool: String
    var grade: String
    /// A prefix of the test's name.
    var test: String
    /// A text that a message must contain; empty for any.
    var message: String
    /// A sentence that says whose fault it is, and why it is not the camera's.
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
      throw ComplianceError(
        "Sources/Bench/Qualification/Embedded/known-findings.json has the schema \(known.schema), "
          + "not \(schema); correct it and build again")
    }
    return known
  }

  /// Returns why the finding is known. Nil if the finding is not known. Every message must be known, because another failure of the same test would
  /// be hidden otherwise.
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

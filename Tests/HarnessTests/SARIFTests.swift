import Foundation
import Testing

@testable import Harness

/// SARIF results, which point into the repository.
@Suite struct SARIFTests {
  private struct Document: Decodable {
    struct Run: Decodable {
      struct Result: Decodable {
        struct Location: Decodable {
          struct Physical: Decodable {
            struct Artifact: Decodable, Equatable {
              let uri: String
              let uriBaseId: String
            }
            struct Region: Decodable { let startLine: Int }
            let artifactLocation: Artifact
            let region: Region
          }
          struct Logical: Decodable { let fullyQualifiedName: String }
          let physicalLocation: Physical
          let logicalLocations: [Logical]
        }
        let ruleId: String
        let ruleIndex: Int
        let locations: [Location]
      }
      let results: [Result]
    }
    let runs: [Run]
  }

  private func results(_ report: Report, file: String? = nil) throws -> [Document.Run.Result] {
    try JSONDecoder().decode(Document.self, from: SARIFReport(report, file: file).json).runs[0].results
  }

  @Test func itPointsAtTheDeclaration() async throws {
    var report = try await SampleReport.make()
    for index in report.scenarios.indices {
      report.scenarios[index].declaration = SourceLocation(
        file: "Sources/A b/\(index).swift", line: 7 + index)
    }
    let results = try results(report)
    #expect(results.map(\.ruleIndex) == [0, 1])
    let place = results[0].locations[0].physicalLocation
    #expect(place.artifactLocation == .init(uri: "Sources/A%20b/2.swift", uriBaseId: "%SRCROOT%"))
    #expect(place.region.startLine == 9)
    #expect(ReportFile.validate(try ReportFile.encode(report)) == [])
  }

  @Test func itPointsAtTheFileThatTheUserNames() async throws {
    let results = try results(try await SampleReport.make(), file: "./src/camera.cpp")
    #expect(results.allSatisfy { $0.locations[0].physicalLocation.artifactLocation.uri == "src/camera.cpp" })
    #expect(results.allSatisfy { $0.locations[0].physicalLocation.region.startLine == 1 })
  }

  /// Code scanning hides results without a location. If no declaration is known, the result points at the requirements' document.
  @Test func outsideOfACheckoutItPointsAtWhatWasAsked() async throws {
    let results = try results(try await SampleReport.make())
    #expect(!results.isEmpty)
    for result in results {
      #expect(result.locations.count == 1)
      #expect(result.locations[0].physicalLocation.artifactLocation.uri == "docs/requirements.md")
      #expect(result.locations[0].physicalLocation.region.startLine > 1)
    }
  }

  /// A report may come from anywhere, so none of its paths may lead out of the repository.
  @Test(arguments: ["/etc/passwd", "../x", "a/../../x", "", ".", "a\u{7}b"])
  func noPathOfTheMachineIsInIt(_ path: String) async throws {
    var report = try await SampleReport.make()
    for index in report.scenarios.indices {
      report.scenarios[index].declaration = SourceLocation(file: path, line: 1)
    }
    for result in try results(report) + results(report, file: path) {
      #expect(result.locations[0].physicalLocation.artifactLocation.uri == "docs/requirements.md")
      #expect(result.locations[0].logicalLocations.map(\.fullyQualifiedName) == [result.ruleId])
    }
    #expect(RepositoryPath(path) == nil)
    #expect(RepositoryPath("file:x")?.uri == "file%3Ax")
  }

  @Test func aScenarioIsFoundInTheCheckout() throws {
    let directory = try TemporaryDirectory()
    let folder = "\(directory.path)/Sources/HarnessTests/Deep"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: "\(directory.path)/Package.swift"))
    let source =
      "import Harness\n\n/// One.\npublic struct ScriptedScenario: Scenario {\n  let id = \"latency.example\"\n}\n"
    try Data(source.utf8).write(to: URL(fileURLWithPath: "\(folder)/Scripted.swift"))
    let checkout = try #require(Checkout(around: folder))
    let scenarios = [
      ScriptedScenario { _ in Observation() }, ScriptedScenario(id: "not.named") { _ in Observation() },
    ]
    let found = checkout.declarations(of: scenarios)
    let file = "Sources/HarnessTests/Deep/Scripted.swift"
    #expect(
      found == ["latency.example": .init(file: file, line: 5), "not.named": .init(file: file, line: 4)])
  }

  @Test func aRunSaysWhereItsScenariosAreDeclared() async throws {
    let directory = try TemporaryDirectory()
    let folder = "\(directory.path)/Sources/Floor/HarnessTests"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: "\(directory.path)/Package.swift"))
    try Data("struct ScriptedScenario {}".utf8).write(to: URL(fileURLWithPath: "\(folder)/A.swift"))
    var runner = Runner.make()
    runner.checkout = Checkout(around: directory.path)
    let report = try await runner.run(
      [ScriptedScenario { _ in Observation(metrics: [.make([1])]) }],
      context: ScenarioContext(source: .make()))
    let file = "Sources/Floor/HarnessTests/A.swift"
    #expect(report.scenarios[0].declaration == SourceLocation(file: file, line: 1))
  }

  @Test func outsideOfACheckoutThereIsNone() throws {
    #expect(Checkout(around: "/usr") == nil)
  }
}

import Foundation
import JSON
import Testing

@testable import Harness

@Suite struct ReportFileTests {
  private func sample() async throws -> Report {
    let timeline = Timeline(lanes: [.init("state", spans: [.init("running", from: 0, to: 10)])])
    var absent = Measurement.make([], id: "absent")
    absent.lack = "fswebcam is not installed"
    return try await .make(
      Observation(
        metrics: [.make((1...50).map(Double.init)), .make([], id: "empty"), absent],
        checks: [Check(id: "c", title: "C", passed: true, subjects: 3, detail: "all", requirement: "ROT-2")],
        evidence: [.timeline("t", timeline), .png("p", Data([1, 2])), .text("x", "y")]),
      profile: .make([.make(.p99, .below, 50)]))
  }

  @Test func aReportObeysItsSchemaAndComesBackTheSame() async throws {
    let report = try await sample()
    let data = try ReportFile.encode(report)
    #expect(ReportFile.validate(data) == [])
    #expect(try ReportFile.decode(data) == report)
  }

  @Test(arguments: [
    (#""swiftwing-report\/1""#, #""swiftwing-report/2""#, "`schema`"),
    (#""count" : 50"#, #""count" : -1"#, "count"),
    (#""count" : 50"#, #""count" : "50""#, "count` is string"),
    (#""p50" : 25"#, #""p50" : null"#, "p50` is null"),
    (#""p50" : 25"#, #""p51" : 25"#, "p51` is not allowed"),
    (#""subjects" : 3"#, #""subjects" : 0"#, "passed"),
    (#""mime" : "image\/png""#, #""mime" : "text/html""#, "mime"),
    (#""reason" : "no samples"#, #""reasoning" : "no samples"#, "reason` is missing"),
    (#""reason" : "no samples"#, #""verdict" : "pass", "reason" : "no samples"#, "twice"),
    (#""unit" : "ms""#, #""unit" : "s""#, "unit"),
  ])
  func aBrokenReportIsNamed(_ good: String, _ bad: String, _ complaint: String) async throws {
    let text = String(decoding: try ReportFile.encode(try await sample()), as: UTF8.self)
    let plain = good.replacingOccurrences(of: "\\/", with: "/")
    #expect(text.contains(plain))
    let violations = ReportFile.validate(Data(text.replacingOccurrences(of: plain, with: bad).utf8))
    #expect(violations.contains { $0.contains(complaint) }, "\(violations)")
  }

  @Test(arguments: [
    (#"{"const":1}"#, "1.0", true), (#"{"const":1.0}"#, "1", true), (#"{"const":1}"#, "2", false),
    (#"{"enum":[[1,{"a":2.0}]]}"#, #"[1.0,{"a":2}]"#, true), (#"{"enum":[[1]]}"#, "[1,1]", false),
    (#"{"enum":[{"a":1}]}"#, #"{"b":1}"#, false), (#"{"const":true}"#, "1", false),
    (#"{"type":"integer"}"#, "3", true), (#"{"type":"integer"}"#, "3.0", true),
    (#"{"type":"integer"}"#, "3.5", false), (#"{"type":"number"}"#, "3", true),
    (#"{"type":["null","number"]}"#, "3", true), (#"{"type":"string"}"#, "3", false),
    (#"{"minimum":2}"#, "2", true), (#"{"minimum":2}"#, "1.9", false), (#"{"maximum":2.5}"#, "3", false),
    (#"{"type":"array","minItems":2}"#, "[0]", false), (#"{"type":"array","maxItems":1}"#, "[0,0]", false),
  ])
  func toASchemaAWholeNumberIsANumber(_ schema: String, _ document: String, _ isValid: Bool) throws {
    let schema = JSONSchema(root: try JSONParser.parse(Array(schema.utf8)))
    #expect(try schema.violations(of: JSONParser.parse(Array(document.utf8))).isEmpty == isValid)
  }

  @Test func whatIsNoJSONIsSaidWithItsPlace() {
    #expect(
      ReportFile.validate(Data(#"{"schema":1,"schema":2}"#.utf8)) == [
        "it is not JSON at byte 22: the object has the name “schema” twice"
      ])
  }

  @Test func aMetricWithoutSamplesMayNotPass() async throws {
    var report = try await sample()
    report.scenarios[0].metrics[1].verdict = .pass
    let violations = ReportFile.validate(try ReportFile.encode(report))
    #expect(violations.contains { $0.contains("verdict") })
  }

  @Test func rubbishIsRefusedInOneSentence() {
    for text in ["", "{", "[]", "null", String(repeating: "[", count: 5000)] {
      let error = #expect(throws: HarnessError.self) { try ReportFile.decode(Data(text.utf8)) }
      #expect(error?.description.contains("Could not read the report") == true)
    }
  }

  /// A document of more than a megabyte is validated and decoded in parallel, with the same result.
  @Test func aLargeDocumentIsReadAsASmallOne() async throws {
    let space = Data(repeating: 32, count: 2 << 20)
    let report = try await sample()
    let data = try ReportFile.encode(report)
    #expect(try ReportFile.decode(data + space) == report)
    let negative = Data(
      String(decoding: data, as: UTF8.self).replacingOccurrences(of: #""count" : 50"#, with: #""count" : -1"#)
        .utf8)
    for text in [
      negative, Data("]".utf8), Data("[]".utf8), Data(String(repeating: "[", count: 2 << 20).utf8),
    ] {
      let small = text.count > 1 << 20 ? Data(text.prefix(5000)) : text
      let expected = #expect(throws: HarnessError.self) { try ReportFile.decode(small) }
      let error = #expect(throws: HarnessError.self) {
        try ReportFile.decode(text.count > 1 << 20 ? text : text + space)
      }
      #expect(error?.description == expected?.description)
    }
  }

  @Test func whatCannotBeWrittenSaysWhy() async throws {
    let report = try await sample()
    let error = #expect(throws: HarnessError.self) {
      try ReportFile(directory: "/dev/full/out").write(report)
    }
    #expect(
      error?.description
        == "Could not write /dev/full/out/report.json: the directory /dev/full/out could not be made"
        + " (not a directory); choose another directory with --out.")
    let nowhere = #expect(throws: HarnessError.self) { try ReportFile(directory: "/proc/none").write(report) }
    #expect(nowhere?.description.contains("could not be made") == true)
  }

  /// The error suggests a remedy that fits the reason.
  @Test(arguments: [
    ("no space left on device", "free some space or choose another directory with --out"),
    ("read-only file system", "choose a directory on a disk that can be written to with --out"),
    ("file name too long", "choose a shorter name with --out"),
    (
      "the directory a could not be made (permission denied)",
      "choose a directory that you may write to with --out"
    ),
    ("input/output error", "choose another directory with --out"),
  ])
  func theRemedyFitsTheReason(reason: String, remedy: String) {
    #expect(
      HarnessError.write(path: "a", reason: reason).description == "Could not write a: \(reason); \(remedy).")
  }

  @Test func aNameThatIsTooLongIsSaid() throws {
    let path = try TemporaryDirectory().path + "/" + String(repeating: "x", count: 300)
    let error = #expect(throws: HarnessError.self) { try OutputFile(path: path).write("new") }
    #expect(error?.description.hasSuffix("choose a shorter name with --out.") == true)
  }

  @Test func anErrorLeavesTheOldFileAndNothingElse() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/report.json"
    try OutputFile(path: path).write("old")
    // The target is a directory with contents, so rename(2) fails.
    let blocked = directory.path + "/blocked"
    try FileManager.default.createDirectory(atPath: blocked + "/inside", withIntermediateDirectories: true)
    #expect(throws: HarnessError.self) { try OutputFile(path: blocked).write("new") }
    #expect(directory.names.sorted() == ["blocked", "report.json"])
    try OutputFile(path: path).write("new")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
  }

  /// A small file system to fill: `mount -t tmpfs -o size=8k none DIR; FULL_DISK=DIR swift test --filter ReportFile`.
  private static let fullDisk = ProcessInfo.processInfo.environment["FULL_DISK"]

  @Test(.enabled(if: fullDisk != nil)) func aFullDiskSaysSoAndKeepsTheOldReport() async throws {
    let directory = try #require(Self.fullDisk)
    let path = directory + "/report.json"
    try OutputFile(path: path).write("old")
    let error = #expect(throws: HarnessError.self) { try OutputFile(path: path).write(Data(count: 1 << 20)) }
    #expect(
      error?.description
        == "Could not write \(path): no space left on device; free some space or choose another directory with --out."
    )
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["report.json"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
  }
}

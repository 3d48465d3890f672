import Dispatch
public import Foundation
import JSON
import System

/// The file `report.json` of a folder.
public struct ReportFile: Sendable {
  /// The path of the file.
  public let path: String
  /// Largest report that is read, in bytes.
  public static let sizeLimit = 64 << 20

  /// Creates the file of a folder. Nothing is read or written yet.
  public init(directory: String) { path = (directory as NSString).appendingPathComponent("report.json") }

  /// Replaces the file with a report, in one step.
  public func write(_ report: Report) throws(HarnessError) {
    try OutputFile(path: path).write(Self.encode(report))
  }

  /// Returns the document as written: JSON with sorted keys, so that equal reports are equal files.
  public static func encode(_ report: Report) throws(HarnessError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do { return try encoder.encode(report) } catch {
      throw .write(path: "report.json", reason: inexpressible)
    }
  }

  /// The reason of an error that no other folder mends.
  static let inexpressible = "the report has a figure that JSON cannot express, infinite or not a number"

  /// Reads a report of any origin: its size is bounded, and it is first checked against the published schema.
  public static func load(path: String) throws(HarnessError) -> Report {
    let bytes: [UInt8]
    do throws(RegularFile.Trouble) { bytes = try RegularFile.read(path, atMost: sizeLimit) } catch {
      let reason = error.reason(atMost: sizeLimit).lowercasedFirst
      throw .report(path: path, reason: "\(reason); name a report that can be read")
    }
    return try decode(Data(bytes), path: path)
  }

  /// - Parameter path: the path named in errors.
  public static func decode(_ data: Data, path: String = "report.json") throws(HarnessError) -> Report {
    let unread = Result<Report, any Error>.failure(CocoaError(.fileReadUnknown))
    let found = Locked<(violation: String?, report: Result<Report, any Error>)>((nil, unread))
    let check: @Sendable () -> Void = {
      let violation = validate(data).first
      found.withLock { $0.violation = violation }
    }
    let read: @Sendable () -> Void = {
      let report = Result { try JSONDecoder().decode(Report.self, from: data) }
      found.withLock { $0.report = report }
    }
    if data.count > largeDocument {
      DispatchQueue.concurrentPerform(iterations: 2) { $0 == 0 ? check() : read() }
    } else {
      check()
      if found.withLock({ $0.violation == nil }) { read() }
    }
    let (violation, report) = found.withLock { $0 }
    let remedy = "make it again with `swiftwing bench`"
    if let violation { throw .report(path: path, reason: "\(violation); \(remedy)") }
    do { return try report.get() } catch {
      throw .report(path: path, reason: "\(DecodingProblem.describe(error)); \(remedy)")
    }
  }

  /// The size from which a document is checked against its schema and decoded in parallel. For a document of 12 MB, checking and decoding
  /// take half a second each.
  private static let largeDocument = 1 << 20

  /// Returns the violations of `Schemas/report.schema.json` in the document, and each repeated scenario, which no schema can express; each as a
  /// clause. Empty if valid.
  public static func validate(_ data: Data) -> [String] {
    switch data.withUnsafeBytes({ bytes in Result { () throws(JSONError) in try JSONParser.parse(bytes) } }) {
    case .success(let document): JSONSchema.report.violations(of: document) + repeatedScenarios(in: document)
    case .failure(let error): [error.reason]
    }
  }

  /// Returns the ids that occur more than once. Verdicts are looked up by id: if two scenarios had one id, a
  /// reader or a gate could see either verdict.
  private static func repeatedScenarios(in document: JSONValue) -> [String] {
    let ids = (document["scenarios"]?.array ?? []).compactMap { $0["id"]?.string }
    var seen: Set<[UInt8]> = []
    return ids.enumerated().filter { !seen.insert(Array($1.utf8)).inserted }.prefix(20).map {
      "`scenarios[\($0.offset)].id` is \($0.element), which an earlier scenario has"
    }
  }
}

/// The complaint of a decoder, as a clause for a person.
enum DecodingProblem {
  static func describe(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      "`\(key.stringValue)` is missing\(place(context))"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "a value has the wrong type\(place(context))"
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      "a value is not one of those allowed\(place(context))"
    default: "it is not JSON"
    }
  }

  private static func place(_ context: DecodingError.Context) -> String {
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    return path.isEmpty ? "" : " at \(path.hasPrefix(".") ? String(path.dropFirst()) : path)"
  }
}

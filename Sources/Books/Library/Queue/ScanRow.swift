import FoundationEssentials
import GRDB

extension QueuedScan {
  static let columns =
    "id, key, capturedAt, mediaType, metadata, state, generation, jobID, streamURL, attempts, notBefore, failure"

  /// - Throws: `damaged`.
  init(row: Row) throws {
    let row = StoredRow(row, of: "scan")
    let streamURL = try row.textIfAny("streamURL")
    self.init(
      id: try row.integer("id"), key: try row.uuid("key"), capturedAt: try row.time("capturedAt"),
      mediaType: try row.textIfAny("mediaType"),
      metadata: try row.json("metadata", [String: String].self, limit: 1 << 20) ?? [:],
      state: try row.name("state", State.self),
      job: try row.textIfAny("jobID").flatMap { id in streamURL.map { Job(id: id, streamURL: $0) } },
      attempts: try row.count("attempts"), generation: try row.count("generation"),
      notBefore: Milliseconds.date(try row.integer("notBefore")), failure: try row.textIfAny("failure"))
  }
}

extension UUID {
  /// The name of the scan's image, and its key in the database.
  package var fileName: String { uuidString.lowercased() }
}

import FoundationEssentials
import GRDB

extension QueuedScan {
  static let columns =
    "id, key, capturedAt, mediaType, metadata, state, generation, jobID, streamURL, attempts, notBefore, failure"

  init(row: Row) throws {
    guard let key = UUID(uuidString: row["key"]), let state = State(rawValue: row["state"]) else {
      throw DeliveryError(
        .storage, "read the queue", reason: "a scan in it is damaged",
        remedy: "restore the library from a backup")
    }
    let jobID: String? = row["jobID"]
    let streamURL: String? = row["streamURL"]
    let metadata: String = row["metadata"]
    self.init(
      id: row["id"], key: key, capturedAt: Milliseconds.date(row["capturedAt"]), mediaType: row["mediaType"],
      metadata: try JSONDecoder().decode([String: String].self, from: Data(metadata.utf8)), state: state,
      job: jobID.flatMap { id in streamURL.map { Job(id: id, streamURL: $0) } }, attempts: row["attempts"],
      generation: row["generation"], notBefore: Milliseconds.date(row["notBefore"]), failure: row["failure"])
  }
}

extension UUID {
  /// The name of the scan's image, and its key in the database.
  var fileName: String { uuidString.lowercased() }
}

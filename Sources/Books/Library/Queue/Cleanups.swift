public import FoundationEssentials
import GRDB

/// Jobs that the backend must still be asked to clean up, and the pause that the backend requested.
extension ScanQueue {
  package struct Cleanup: Sendable, Equatable {
    package var jobID: String
    package var attempts: Int
  }

  package func cleanupsDue(
    at now: Date, limit: Int, excluding busy: Set<String> = []
  ) async throws(DeliveryError) -> [Cleanup] {
    try await store.read("read the cleanups") { database in
      let sql = "SELECT jobID, attempts FROM cleanup WHERE notBefore <= ? ORDER BY notBefore LIMIT ?"
      let rows = try Row.fetchAll(
        database.cachedStatement(sql: sql), arguments: [Milliseconds.of(now), limit + busy.count])
      let cleanups = try rows.map(Cleanup.init(row:))
      return Array(cleanups.filter { !busy.contains($0.jobID) }.prefix(limit))
    }
  }

  /// Removes a cleanup that the backend has done, or never will do.
  package func finishCleanup(of jobID: String) async throws(DeliveryError) {
    try await store.write("finish a cleanup") {
      try $0.cachedStatement(sql: "DELETE FROM cleanup WHERE jobID = ?").execute(arguments: [jobID])
    }
  }

  package func postponeCleanup(of jobID: String, until date: Date, counting: Bool) async throws(DeliveryError)
  {
    try await store.write("put off a cleanup") {
      try $0.cachedStatement(sql: "UPDATE cleanup SET notBefore = ?, attempts = attempts + ? WHERE jobID = ?")
        .execute(arguments: [Milliseconds.of(date), counting ? 1 : 0, jobID])
    }
  }

  /// The end of the pause that the backend requested (429). Nil if the backend accepts scans. The pause outlives the process.
  public func pause(at now: Date) async throws(DeliveryError) -> Date? {
    let until = try await store.read("read the pause") {
      try Int64.fetchOne($0, sql: "SELECT until FROM pause")
    }
    return until.map(Milliseconds.date).flatMap { $0 > now ? $0 : nil }
  }

  package func setPause(until date: Date) async throws(DeliveryError) {
    try await store.write("note a pause") {
      try $0.execute(
        sql:
          "INSERT INTO pause (id, until) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET until = excluded.until",
        arguments: [Milliseconds.of(date)])
    }
  }
}

extension ScanQueue.Cleanup {
  /// - Throws: `damaged`.
  init(row: Row) throws {
    let row = StoredRow(row, of: "cleanup", by: "jobID")
    (jobID, attempts) = (try row.identifier("jobID"), try row.count("attempts"))
  }
}

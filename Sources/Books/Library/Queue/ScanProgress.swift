public import FoundationEssentials
import GRDB

/// The steps of a scan on its way, each one commit.
extension ScanQueue {
  /// The backend has taken the scan. One dropped in the meantime leaves only a job to clean up.
  /// - Returns: whether the scan is still in the queue.
  @discardableResult
  public func markUploaded(_ scan: QueuedScan, job: QueuedScan.Job) async throws(DeliveryError) -> Bool {
    try await store.write("note an upload") { database in
      try database.cachedStatement(
        sql: "UPDATE scan SET state = 'uploaded', jobID = ?, streamURL = ? WHERE id = ? AND key = ?"
      ).execute(arguments: [job.id, job.streamURL, scan.id, scan.key.fileName])
      guard database.changesCount == 0 else { return true }
      try Self.scheduleCleanup(of: job.id, in: database)
      return false
    }
  }

  /// The books go into the library with their spines, the scan out of the queue and the cleanup into it: all or nothing. Then the
  /// image is removed.
  /// - Parameter findings: each with a title or an ISBN; no two with one id.
  /// - Returns: the books as the library has them; `nil` when the scan is no longer in the queue.
  @discardableResult
  public func deliver(
    _ scan: QueuedScan, findings: [Finding], at now: Date
  ) async throws(DeliveryError) -> [Book]? {
    let key = scan.key.fileName
    let delivered: [Book]? = try await store.write("deliver a scan") { database in
      try database.cachedStatement(sql: "DELETE FROM scan WHERE id = ? AND key = ?").execute(arguments: [
        scan.id, key,
      ])
      guard database.changesCount == 1 else { return nil }
      if let job = scan.job { try Self.scheduleCleanup(of: job.id, in: database) }
      try Receipt.write(for: key, books: findings.count, at: now, in: database)
      return try findings.compactMap { try Shelving.shelve($0, of: key, at: now, in: database) }
    }
    store.images.remove(named: key)
    return delivered
  }

  /// Tries the scan again at `date`.
  /// - Parameters:
  ///   - counting: whether this was the backend's failure.
  ///   - endingJob: the backend's job is over and the next try is to be another one.
  public func postpone(
    _ scan: QueuedScan, until date: Date, failure: String, counting: Bool, endingJob: Bool
  ) async throws(DeliveryError) {
    try await store.write("put off a scan") { database in
      try Self.end(scan, job: endingJob, in: database)
      try database.cachedStatement(
        sql: "UPDATE scan SET notBefore = ?, failure = ?, attempts = attempts + ? WHERE id = ?"
      ).execute(arguments: [Milliseconds.of(date), failure, counting ? 1 : 0, scan.id])
    }
  }

  /// Gives up on the scan; it and its image stay until it is retried or dropped.
  public func fail(_ scan: QueuedScan, failure: String, endingJob: Bool) async throws(DeliveryError) {
    try await store.write("give up on a scan") { database in
      try Self.end(scan, job: endingJob, in: database)
      try database.cachedStatement(
        sql: "UPDATE scan SET state = 'failed', failure = ?, attempts = attempts + 1 WHERE id = ?"
      ).execute(arguments: [failure, scan.id])
    }
  }

  /// Processes that may end over a scan before it is set aside.
  package static let deathLimit = 2

  /// A process has ended over the scan, which is counted on disk: the scan is due again at once, or set aside with its image when it
  /// was one too many.
  /// - Parameter lastFailure: why it is set aside.
  /// - Returns: whether it is set aside.
  public func noteDeath(
    over scan: QueuedScan, failure: String, lastFailure: String
  ) async throws(DeliveryError) -> Bool {
    try await store.write("count a death over a scan") { database in
      try database.cachedStatement(
        sql: """
          UPDATE scan SET deaths = deaths + 1, failure = iif(deaths + 1 < :limit, :failure, :lastFailure),
          state = iif(deaths + 1 < :limit, state, 'failed') WHERE id = :id
          """
      ).execute(
        arguments: [
          "limit": Self.deathLimit, "failure": failure, "lastFailure": lastFailure, "id": scan.id,
        ])
      let state = try String.fetchOne(
        database, sql: "SELECT state FROM scan WHERE id = ?", arguments: [scan.id])
      return state == QueuedScan.State.failed.rawValue
    }
  }

  private static func end(_ scan: QueuedScan, job isOver: Bool, in database: Database) throws {
    guard isOver, let job = scan.job else { return }
    try scheduleCleanup(of: job.id, in: database)
    try database.cachedStatement(
      sql: """
        UPDATE scan SET state = 'pending', jobID = NULL, streamURL = NULL, generation = generation + 1 WHERE id = ?
        """
    ).execute(arguments: [scan.id])
  }

  static func scheduleCleanup(of job: String, in database: Database) throws {
    try database.cachedStatement(sql: "INSERT OR IGNORE INTO cleanup (jobID) VALUES (?)").execute(arguments: [
      job
    ])
  }

  /// Puts failed scans back at the head of the queue: all, or those named. A program that scans into this store hears of it at once.
  /// - Returns: how many.
  @discardableResult
  public func retry(_ keys: [UUID]? = nil) async throws(DeliveryError) -> Int {
    let count = try await requeue(keys)
    if count > 0, let place = store.place { QueueSignal.send(place) }
    return count
  }

  private func requeue(_ keys: [UUID]?) async throws(DeliveryError) -> Int {
    try await store.write("retry failed scans") { database in
      var sql = """
        UPDATE scan SET state = iif(jobID IS NULL, 'pending', 'uploaded'), attempts = 0, deaths = 0, notBefore = 0,
        failure = NULL
        WHERE state = 'failed'
        """
      guard let keys else {
        try database.execute(sql: sql)
        return database.changesCount
      }
      sql += " AND key = ?"
      return try keys.reduce(0) { count, key in
        try database.execute(sql: sql, arguments: [key.fileName])
        return count + database.changesCount
      }
    }
  }

  /// Cancels a scan: it leaves the queue and its image is removed. Whether it was there.
  @discardableResult
  public func drop(_ key: UUID) async throws(DeliveryError) -> Bool {
    let dropped = try await store.write("drop a scan") { database in
      if let job = try String.fetchOne(
        database, sql: "SELECT jobID FROM scan WHERE key = ? AND jobID NOTNULL", arguments: [key.fileName])
      {
        try Self.scheduleCleanup(of: job, in: database)
      }
      try database.execute(sql: "DELETE FROM scan WHERE key = ?", arguments: [key.fileName])
      guard database.changesCount == 1 else { return false }
      try Photographs.forget(key.fileName, in: database)
      return true
    }
    if dropped { store.images.remove(named: key.fileName) }
    return dropped
  }
}

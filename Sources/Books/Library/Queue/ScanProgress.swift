public import FoundationEssentials
import GRDB

/// The steps of a scan through the queue. Each step is one commit.
extension ScanQueue {
  /// Notes that the backend has accepted the scan. If the scan was dropped in the meantime, only a cleanup of the job is scheduled.
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

  /// Adds the books and their spines to the library, removes the scan from the queue and schedules the cleanup, all in one commit. Then removes
  /// the image.
  /// - Parameter findings: the findings, each with a title or an ISBN, with distinct ids.
  /// - Returns: the books as they are in the library. Nil if the scan is no longer in the queue.
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

  /// Postpones the next try of the scan until `date`.
  /// - Parameters:
  ///   - counting: whether the backend failed, which counts as an attempt.
  ///   - endingJob: whether the backend's job is over, so that the next try starts a new job.
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

  /// Gives up on the scan. The scan and its image are kept until it is retried or dropped.
  public func fail(_ scan: QueuedScan, failure: String, endingJob: Bool) async throws(DeliveryError) {
    try await store.write("give up on a scan") { database in
      try Self.end(scan, job: endingJob, in: database)
      try database.cachedStatement(
        sql: "UPDATE scan SET state = 'failed', failure = ?, attempts = attempts + 1 WHERE id = ?"
      ).execute(arguments: [failure, scan.id])
    }
  }

  /// A scan is set aside when this many processes have ended while working on it.
  package static let deathLimit = 2

  /// Counts, on disk, a process that ended while working on the scan. The scan is due again at once, unless the limit is reached: then the scan is
  /// set aside with its image.
  /// - Parameters:
  ///   - failure: the reason that is noted if the scan is tried again.
  ///   - lastFailure: the reason that is noted if the scan is set aside.
  /// - Returns: whether the scan is set aside.
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

  /// Moves failed scans back to the head of the queue: all, or only those in `keys`. A program that scans into this store is notified at once.
  /// - Returns: the number of scans.
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

  /// Drops a scan: removes it from the queue, and removes its image.
  /// - Returns: whether the scan was in the queue.
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

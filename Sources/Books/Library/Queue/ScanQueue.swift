public import FoundationEssentials
import GRDB

/// The durable queue of scans. An accepted scan is on disk and is delivered once, even if the process dies.
///
/// An `Uploader` delivers its scans.
///
/// ```swift
/// let submission = Submission(content: .image(jpeg, mediaType: "image/jpeg"))
/// let acceptance = try await store.queue.accept(submission)
/// print(acceptance == .accepted ? "it is on disk" : "it was there before")
/// ```
public struct ScanQueue: Sendable {
  let store: Store

  /// The outcome of submitting a scan. This enumeration is closed.
  public enum Acceptance: Sendable, Equatable {
    /// The submission is on disk and will be delivered.
    case accepted
    /// A scan with the same key is in the queue already; the submission was not stored again.
    case alreadyQueued
    /// A scan with the same key has been delivered; the submission was not stored again.
    case alreadyDelivered
  }

  /// The number of scans in each state.
  public struct Counts: Sendable, Equatable {
    /// Scans that wait to be read or sent.
    public var pending = 0
    /// Scans for which the backend has a job.
    public var uploaded = 0
    /// Scans given up. They stay in the queue until they are retried or dropped.
    public var failed = 0
    /// Scans delivered since the library was created.
    public var delivered = 0
    /// Jobs whose images the backend has not yet been asked to remove.
    public var cleanups = 0
    /// Whether nothing is left to do. Failed scans do not count.
    public var isDrained: Bool { pending + uploaded + cleanups == 0 }
  }

  /// Saves the submission on disk. Once this returns, the scan is not lost.
  /// - Parameter again: whether to accept a scan that has been delivered already. The books of the new delivery then replace those of the earlier
  ///   one.
  /// - Throws: `badInput`, `diskFull`, `storage`; nothing of the submission is kept then.
  @discardableResult
  public func accept(_ submission: Submission, again: Bool = false) async throws(DeliveryError) -> Acceptance
  {
    try submission.validate()
    guard store.access == .owner else {
      throw DeliveryError(
        .inUse, "accept a scan",
        reason: "its store was opened with the access `visitor`", remedy: "open the store as `owner`")
    }
    let name = submission.key.fileName
    let known = try await store.read("look for a scan") { try Self.standing(of: name, again, in: $0) }
    guard known == .accepted else { return known }
    try store.requireInPlace("accept a scan")
    try store.images.makeSure()
    try store.images.requireRoom(for: submission.size)
    if case .image(let bytes, _) = submission.content { try store.images.write(bytes, named: name) }
    do {
      return try await store.write("accept a scan") { database in
        let standing = try Self.standing(of: name, again, in: database)
        if standing == .accepted { try Self.insert(submission, into: database) }
        return standing
      }
    } catch {
      store.images.remove(named: name)
      throw error
    }
  }

  static func standing(
    of key: String, _ again: Bool, in database: Database
  ) throws -> Acceptance {
    if try Bool.fetchOne(database.cachedStatement(sql: "SELECT 1 FROM scan WHERE key = ?"), arguments: [key])
      != nil
    {
      return .alreadyQueued
    }
    if again { return .accepted }
    let receipt = try database.cachedStatement(sql: "SELECT 1 FROM receipt WHERE scanKey = ?")
    return try Bool.fetchOne(receipt, arguments: [key]) != nil ? .alreadyDelivered : .accepted
  }

  private static func insert(_ submission: Submission, into database: Database) throws {
    var mediaType: String?
    var text: String?
    switch submission.content {
    case .image(_, let type): mediaType = type
    case .text(let lines): text = lines.joined(separator: "\n")
    }
    let metadata = String(decoding: try JSONEncoder().encode(submission.metadata), as: UTF8.self)
    try database.cachedStatement(
      sql:
        "INSERT INTO scan (key, capturedAt, mediaType, text, metadata, state) VALUES (?, ?, ?, ?, ?, 'pending')"
    ).execute(
      arguments: [submission.key.fileName, Milliseconds.of(submission.capturedAt), mediaType, text, metadata])
    try Photographs.make(
      submission.key.fileName, path: submission.path, location: submission.location, in: database)
  }

  /// The scans that are due now, in the order of their due times. Their images stay on disk.
  /// - Parameter busy: the ids of scans that are being worked on already; a small set.
  public func due(at now: Date, limit: Int, excluding busy: Set<Int64> = []) async throws(DeliveryError)
    -> [QueuedScan]
  {
    try await store.read("read the queue") { database in
      let statement = try database.cachedStatement(
        sql: """
          SELECT \(QueuedScan.columns) FROM scan WHERE state <> 'failed' AND notBefore <= ?
          ORDER BY notBefore, id LIMIT ?
          """)
      let rows = try Row.fetchAll(statement, arguments: [Milliseconds.of(now), limit + busy.count])
      return try Array(rows.map(QueuedScan.init(row:)).filter { !busy.contains($0.id) }.prefix(limit))
    }
  }

  /// The earliest due time after `now` of a scan or cleanup. Nil if none is due after `now`.
  public func nextDue(after now: Date) async throws(DeliveryError) -> Date? {
    try await store.read("read the queue") { database in
      let sql = """
        SELECT min(at) FROM (SELECT min(notBefore) AS at FROM scan WHERE state <> 'failed' AND notBefore > :now
        UNION ALL SELECT min(notBefore) FROM cleanup WHERE notBefore > :now)
        """
      return try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: ["now": Milliseconds.of(now)])
        .map(Milliseconds.date)
    }
  }

  /// The scans in the queue, oldest first: at most `limit` of those whose id is greater than `id`.
  public func scans(after id: Int64 = 0, limit: Int = 100) async throws(DeliveryError) -> [QueuedScan] {
    try await store.read("read the queue") { database in
      let sql = "SELECT \(QueuedScan.columns) FROM scan WHERE id > ? ORDER BY id LIMIT ?"
      return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [id, limit]).map(
        QueuedScan.init(row:))
    }
  }

  /// The scan with this key. Nil if the queue does not have it.
  package func scan(_ key: UUID) async throws(DeliveryError) -> QueuedScan? {
    try await store.read("read the queue") { database in
      let sql = "SELECT \(QueuedScan.columns) FROM scan WHERE key = ?"
      return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [key.fileName]).map(
        QueuedScan.init(row:))
    }
  }

  /// Checks that every scan, cleanup and pause can be read.
  /// - Throws: `damaged`.
  static func check(_ database: Database) throws {
    let scans = try Row.fetchCursor(database, sql: "SELECT \(QueuedScan.columns) FROM scan")
    while let row = try scans.next() { _ = try QueuedScan(row: row) }
    let cleanups = try Row.fetchCursor(database, sql: "SELECT * FROM cleanup")
    while let row = try cleanups.next() { _ = try Cleanup(row: row) }
    for table in ["scan", "cleanup", "pause"] {
      let flaw = try String.fetchOne(database, sql: "PRAGMA quick_check(\(table))")
      if let flaw, flaw != "ok" { throw DeliveryError.damaged("read the queue", flaw) }
    }
  }

  /// The number of scans in each state. May also be called on a store that was opened as ``Store/Access/visitor``.
  /// - Throws: `storage` if the library cannot be read.
  public func counts() async throws(DeliveryError) -> Counts {
    try await store.read("count the queue") { database in
      let rows = try Row.fetchAll(database, sql: "SELECT state, count(*) AS count FROM scan GROUP BY state")
      var byState: [QueuedScan.State: Int] = [:]
      for row in rows.map({ StoredRow($0, of: "scan", by: "state") }) {
        byState[try row.name("state", QueuedScan.State.self)] = try row.count("count")
      }
      return Counts(
        pending: byState[.pending] ?? 0, uploaded: byState[.uploaded] ?? 0, failed: byState[.failed] ?? 0,
        delivered: try Int.fetchOne(database, sql: "SELECT count(*) FROM receipt") ?? 0,
        cleanups: try Int.fetchOne(database, sql: "SELECT count(*) FROM cleanup") ?? 0)
    }
  }

  /// The submission of a scan, read back from disk.
  public func submission(of scan: QueuedScan) async throws(DeliveryError) -> Submission {
    let content: Submission.Content
    if let mediaType = scan.mediaType {
      content = .image(try store.images.read(named: scan.key.fileName), mediaType: mediaType)
    } else {
      let text = try await store.read("read a scan") {
        try Row.fetchOne($0, sql: "SELECT id, text FROM scan WHERE id = ?", arguments: [scan.id]).flatMap {
          try StoredRow($0, of: "scan").textIfAny("text", limit: 2 << 20)
        }
      }
      content = .text((text ?? "").split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }
    return Submission(key: scan.key, content: content, capturedAt: scan.capturedAt, metadata: scan.metadata)
  }
}

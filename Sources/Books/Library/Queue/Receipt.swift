public import FoundationEssentials
import GRDB

/// The record that a scan was delivered. It is kept for ever.
public struct Receipt: Sendable, Equatable {
  /// The key of the scan.
  public var key: UUID
  /// The time at which the scan's books were last added to the library, to the millisecond.
  public var deliveredAt: Date
  /// The number of the scan's findings.
  public var books: Int
  /// The spines that the scan shows, with the number of findings of each.
  public var spines: [Spine.ID: Int]
}

extension ScanQueue {
  /// Whether a scan is in the queue or was delivered. False if it was dropped or never accepted.
  public func knows(_ key: UUID) async throws(DeliveryError) -> Bool {
    try await store.read("look for a scan") {
      try Self.standing(of: key.fileName, false, in: $0) != .accepted
    }
  }

  /// The receipt of a scan. Nil if the scan was never delivered.
  public func receipt(of key: UUID) async throws(DeliveryError) -> Receipt? {
    try await store.read("look for a receipt") { try Receipt.read(key, in: $0) }
  }
}

extension Receipt {
  fileprivate static func read(_ key: UUID, in database: Database) throws -> Receipt? {
    let name = key.fileName
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT * FROM receipt WHERE scanKey = ?"),
      arguments: [name])
    guard let stored = row.map({ StoredRow($0, of: "receipt", by: "scanKey") }) else { return nil }
    let spines = try String.fetchAll(
      database.cachedStatement(sql: "SELECT spineID FROM sighting WHERE scanKey = ? AND spineID NOTNULL"),
      arguments: [name]
    ).compactMap(UUID.init(uuidString:))
    return Receipt(
      key: key, deliveredAt: try stored.time("deliveredAt"), books: try stored.count("books"),
      spines: spines.reduce(into: [:]) { $0[$1, default: 0] += 1 })
  }

  /// Saves the receipt of a delivery. Removes the sightings of an earlier delivery of the scan, and subtracts them from the counts of their spines.
  static func write(for key: String, books: Int, at now: Date, in database: Database) throws {
    try database.cachedStatement(
      sql: """
        UPDATE spine SET sightings = max(0, sightings
        - (SELECT count(*) FROM sighting WHERE scanKey = :scan AND spineID = spine.id))
        WHERE id IN (SELECT spineID FROM sighting WHERE scanKey = :scan)
        """
    ).execute(arguments: ["scan": key])
    try Photographs.clear(key, in: database)
    try database.cachedStatement(
      sql: "INSERT OR REPLACE INTO receipt (scanKey, deliveredAt, books) VALUES (?, ?, ?)"
    ).execute(arguments: [key, Milliseconds.of(now), books])
  }
}

import GRDB

/// Migration 7: the confidence of a reading is the probability that it is right.
///
/// An older SwiftWing kept the mean of what the recogniser gave the letters, which is about 0.98 for right and wrong readings alike. No reading of today,
/// with a probability of 0.85 to 0.95, could take the place of one of those. They are forgotten: what was read stays, and how sure it was is not known.
/// Sightings that have their reading beside them are of schema 6, which tells probabilities.
enum Confidence7 {
  static func migrate(_ database: Database) throws {
    try database.execute(sql: sightings + books)
    for column in ["before", "after"] { try database.execute(sql: log(column)) }
  }

  private static let known = "SELECT max(confidence) FROM sighting WHERE title NOTNULL AND"

  private static let sightings = "UPDATE sighting SET confidence = NULL WHERE title ISNULL;\n"

  /// Of a spine, 0 stands for what is not known.
  private static let books = """
    UPDATE book SET spineConfidence = (\(known) bookID = book.id) WHERE spineConfidence NOTNULL;
    UPDATE spine SET confidence = coalesce((\(known) bookID = spine.bookID AND spineID = spine.id), 0);
    """

  /// What a change can bring back. A column that is the same before and after is left as it is now (`Undo`).
  private static func log(_ column: String) -> String {
    """
    UPDATE change_row SET \(column) = json_set(\(column), '$.spineConfidence', NULL)
    WHERE tableName = 'book' AND \(column) NOTNULL;
    UPDATE change_row SET \(column) = json_set(\(column), '$.confidence', NULL)
    WHERE tableName = 'sighting' AND \(column) NOTNULL AND json_extract(\(column), '$.title') ISNULL;
    """
  }
}

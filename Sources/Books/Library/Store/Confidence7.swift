import GRDB

/// Migration 7: the confidence of a reading becomes the probability that it is right.
///
/// An older SwiftWing stored the mean score of the letters, which is about 0.98 for right and wrong readings alike. A new reading, with a probability
/// of 0.85 to 0.95, could never replace such a reading. So the old confidences are deleted, and the readings are kept. Sightings that have a reading
/// are from schema 6, whose confidences are probabilities.
enum Confidence7 {
  static func migrate(_ database: Database) throws {
    try database.execute(sql: sightings + books)
    for column in ["before", "after"] { try database.execute(sql: log(column)) }
  }

  private static let known = "SELECT max(confidence) FROM sighting WHERE title NOTNULL AND"

  private static let sightings = "UPDATE sighting SET confidence = NULL WHERE title ISNULL;\n"

  /// A spine's confidence is 0 if unknown.
  private static let books = """
    UPDATE book SET spineConfidence = (\(known) bookID = book.id) WHERE spineConfidence NOTNULL;
    UPDATE spine SET confidence = coalesce((\(known) bookID = spine.bookID AND spineID = spine.id), 0);
    """

  /// Deletes the confidences from the log, since undoing a change could restore them. A column that is equal before and after a change keeps its
  /// present value (`Undo`).
  private static func log(_ column: String) -> String {
    """
    UPDATE change_row SET \(column) = json_set(\(column), '$.spineConfidence', NULL)
    WHERE tableName = 'book' AND \(column) NOTNULL;
    UPDATE change_row SET \(column) = json_set(\(column), '$.confidence', NULL)
    WHERE tableName = 'sighting' AND \(column) NOTNULL AND json_extract(\(column), '$.title') ISNULL;
    """
  }
}

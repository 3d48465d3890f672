import GRDB

/// Migration 8: which photographs there are, in their order, and where in them a book stands: what a person needs to find it on the shelf.
///
/// Both are kept beside the sightings, not in them, so that a book that comes back by `undo` has its place again.
enum Photographs8 {
  /// - `photograph.number`: in the order in which they were handed in. `path`: of the file; null for a camera's.
  /// - `place.number`: in its row; a whole number for a book, something between for what is probably none and for what a person put there.
  ///   `x`, `y`, `width` and `height`: pixels of the upright photo; null where nothing was seen.
  static let tables = """
    CREATE TABLE photograph (
      number INTEGER PRIMARY KEY,
      scanKey TEXT NOT NULL UNIQUE,
      path TEXT
    ) STRICT;
    INSERT INTO photograph (scanKey) SELECT scanKey FROM receipt ORDER BY deliveredAt, scanKey;
    CREATE TABLE place (
      photograph INTEGER NOT NULL REFERENCES photograph (number) ON DELETE CASCADE,
      findingID TEXT NOT NULL,
      row INTEGER NOT NULL,
      number REAL NOT NULL,
      x REAL, y REAL, width REAL, height REAL,
      PRIMARY KEY (photograph, findingID)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX place_order ON place (photograph, row, number);
    """
}

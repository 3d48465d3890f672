/// Migration 8: the photographs in their order, and the places of the books in them, by which a person finds a book on the shelf.
///
/// Both are stored beside the sightings, not in them, so that a book restored by `undo` has its place again.
enum Photographs8 {
  /// - `photograph.number`: the number of the photograph in the order of submission. `path`: the file; null for a camera's photo.
  /// - `place.number`: the position in the row: a whole number for a book, a fraction for a record that is probably no book and for a book that a
  ///   person added. `x`, `y`, `width` and `height`: pixels of the upright photo; null if nothing was seen.
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

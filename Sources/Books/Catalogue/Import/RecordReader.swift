/// What a reader finds in a file.
enum ReadItem: Equatable {
  case book(CatalogueRecord)
  /// An author of Open Library.
  case author(key: Int64, name: String)
  /// A work of Open Library: whose authors its editions may lack.
  case work(key: Int64, CatalogueRecord)
  /// A sound record without a title, or of a kind that is no book.
  case passed
  /// A record that cannot be read.
  case damaged(RecordDamage)
  /// An ISBN of the book before it that is none.
  case leftOut(RecordDamage)
}

/// Where a record of a file is damaged, and how.
struct RecordDamage: Equatable {
  /// Such as "line 3" or "record 3".
  var place: String
  /// A clause.
  var reason: String
}

/// Why a file as a whole cannot be read. A clause.
struct ListRefusal: Error, Equatable {
  var reason: String
}

/// Turns the bytes of one format into records, however the bytes are split. Memory is bounded by a record's.
protocol RecordReader {
  /// What `bytes` complete.
  mutating func parse(_ bytes: ArraySlice<UInt8>) throws(ListRefusal) -> [ReadItem]
  /// What is left at the end of the file.
  mutating func end() throws(ListRefusal) -> [ReadItem]
  /// Columns of a table that are not read, as its first line names them.
  var passedOver: [String] { get }
}

extension RecordReader {
  var passedOver: [String] { [] }
}

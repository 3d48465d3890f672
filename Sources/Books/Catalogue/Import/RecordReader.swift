/// An item that a reader finds in a file.
enum ReadItem: Equatable {
  case book(CatalogueRecord)
  /// An author of Open Library.
  case author(key: Int64, name: String)
  /// A work of Open Library, with authors that its editions may lack.
  case work(key: Int64, CatalogueRecord)
  /// A valid record without a title, not of a book, or deleted by its library.
  case passed
  case damaged(RecordDamage)
  /// An invalid ISBN of the preceding book.
  case leftOut(RecordDamage)
}

/// A damaged record: its place in the file, and its flaw.
struct RecordDamage: Equatable {
  /// The place, such as "line 3" or "record 3".
  var place: String
  /// The flaw, as a clause.
  var reason: String
}

/// The reason why a file as a whole cannot be read, as a clause.
struct ListRefusal: Error, Equatable {
  var reason: String
  /// The remedy, as a clause. Nil if the file is at fault.
  var remedy: String? = nil
}

/// Parses the bytes of one format into records. The bytes may arrive in pieces of any size. Memory is bounded by the size of one record.
protocol RecordReader {
  /// The items that end in `bytes`.
  mutating func parse(_ bytes: ArraySlice<UInt8>) throws(ListRefusal) -> [ReadItem]
  /// The items left at the end of the file.
  mutating func end() throws(ListRefusal) -> [ReadItem]
  /// The names, as in the first line of a table, of the columns that are not read.
  var passedOver: [String] { get }
}

extension RecordReader {
  var passedOver: [String] { [] }
}

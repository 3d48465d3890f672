public import FoundationEssentials
import GRDB

/// Records of the library that are the same book, read differently.
public struct DuplicateGroup: Sendable, Equatable {
  /// The books. A merge keeps the first: preferably a confirmed one, then one with an ISBN, not doubtful, with an author, of the highest confidence,
  /// the oldest.
  public var books: [Book]
  /// For each of the other books, the reason why it is in the group.
  public var reasons: [Likeness]
  /// Whether two of the books were seen at the same time as two physical books. Such books are copies, which only a person merges.
  public var areCopies: Bool
}

extension Library {
  /// Groups of books that are the same although they were read differently. Unlikely books are ignored.
  ///
  /// A group never contains books with different ISBNs, or titles that differ in a number. It contains no title without an author if books of two
  /// different authors have that title.
  /// - Throws: `storage`, `cancelled`.
  public func duplicates() async throws(DeliveryError) -> [DuplicateGroup] {
    try await store.read("look for duplicates") { try Duplicates.groups(in: $0) }
  }

  /// Merges each group of ``duplicates()`` except groups of copies. All merges are one change, which ``undo(_:)`` undoes.
  /// - Returns: the groups as they were before, including the unchanged groups of copies.
  /// - Throws: `storage`, `diskFull`, `cancelled`.
  public func mergeDuplicates(at now: Date = Date()) async throws(DeliveryError) -> [DuplicateGroup] {
    try await store.write("unite duplicates") { database in
      try ChangeLog.record(
        .duplicates, at: now, in: database,
        subject: { LibraryChange.naming($0.filter { !$0.areCopies }.compactMap(\.books.first)) }
      ) { _ in
        let groups = try Duplicates.groups(in: database)
        for group in groups where !group.areCopies {
          guard let first = group.books.first else { continue }
          _ = try first.absorbing(group.books.dropFirst(), in: database).save(in: database)
        }
        return groups
      }.value
    }
  }
}

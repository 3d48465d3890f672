public import FoundationEssentials
import GRDB

/// Records of the library that are one book, read differently.
public struct DuplicateGroup: Sendable, Equatable {
  /// The one that stays when they are made one comes first: confirmed, then with an ISBN, then surest, then with an author, then oldest.
  public var books: [Book]
  /// Why each of the others is taken for one of the group.
  public var reasons: [Likeness]
  /// Two of them were seen as two physical books at once: copies, which only a person makes one record.
  public var areCopies: Bool
}

extension Library {
  /// Groups of books that are the same though they were read differently. Unlikely books are not looked at.
  ///
  /// Never together: two different ISBNs, titles that differ in a number, a title without an author that two different authors'
  /// books have.
  /// - Throws: `storage`, `cancelled`.
  public func duplicates() async throws(DeliveryError) -> [DuplicateGroup] {
    try await store.read("look for duplicates") { try Duplicates.groups(in: $0) }
  }

  /// Makes each group of ``duplicates()`` one book, but for copies: one change, which ``undo(_:)`` takes back.
  /// - Returns: the groups, as they were; those of copies too, which are as before.
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

import Foundation
import GRDB
import Testing

@testable import Library
@testable import Uploads

@Suite struct OpeningTests {
  private let folder = try! TemporaryFolder()

  /// Several programs start at once in a folder without a library. One of them creates the library, and all open it.
  @Test(arguments: 0..<20)
  func librariesAreMadeOnce(round: Int) async throws {
    let place = "\(folder.path)/store"
    let errors = await withTaskGroup(of: (any Error)?.self) { group in
      for number in 0..<6 {
        group.addTask {
          do {
            let store = try Store(directory: place, access: number == 0 ? .owner : .visitor)
            try await store.library.add(BookFinding(title: "Book \(number)"))
            return nil
          } catch { return error }
        }
      }
      return await group.reduce(into: [any Error]()) { errors, error in if let error { errors.append(error) }
      }
    }
    #expect(errors.isEmpty, "\(errors)")
    #expect(try await folder.store().library.count() == 6)
  }

  private func protect(_ isProtected: Bool) {
    chmod("\(folder.path)/store/library.sqlite", isProtected ? 0o400 : 0o600)
    chmod("\(folder.path)/store", isProtected ? 0o500 : 0o700)
  }

  @Test func libraryThatIsReadOnlyIsRead() async throws {
    do { try await folder.store().library.add(BookFinding(title: "Dune")) }
    let before = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/store").sorted()
    chmod("\(folder.path)/store/library.sqlite", 0o444)
    defer { protect(false) }
    let store = try folder.store(.visitor)
    #expect(try await store.library.search("dune").map(\.title) == ["Dune"])
    #expect(try await store.queue.counts() == ScanQueue.Counts())
    let error = await #expect(throws: DeliveryError.self) { try await store.library.remove(1) }
    #expect(
      error?.description
        == "Cannot remove a book (library \(folder.path)/store): the library can only be read: its file is "
        + "read-only; make it writable, or copy its folder and name the copy with --library."
    )
    #expect(throws: DeliveryError.self) { try folder.store(.owner) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/store").sorted() == before)
    #expect(try folder.mode(of: "store/library.sqlite") == 0o444)
  }

  @Test(arguments: ["2 library", "7 confidence"])
  func olderLibraryThatIsReadOnlyIsRead(migration: String) async throws {
    try FileManager.default.createDirectory(atPath: "\(folder.path)/store", withIntermediateDirectories: true)
    do {
      let pool = try DatabasePool(path: "\(folder.path)/store/library.sqlite")
      try Schema.migrator.migrate(pool, upTo: migration)
      try await pool.write {
        try $0.execute(
          sql: "INSERT INTO book (title, author, addedAt, matchKey) VALUES ('Émile', 'Rousseau', 5, 'emile')")
      }
      try pool.close()
    }
    protect(true)
    defer { protect(false) }
    let library = try folder.store(.visitor).library
    #expect(try await library.search("emile rousseau").map(\.title) == ["Émile"])
  }

  /// A copy of an open library has data that are only in its write-ahead log. They are read too.
  @Test func readOnlyLibraryWithALogIsReadWhole() async throws {
    let live = try Store(directory: "\(folder.path)/live")
    try await live.library.add(BookFinding(title: "Dune"))
    try FileManager.default.createDirectory(atPath: "\(folder.path)/store", withIntermediateDirectories: true)
    for name in ["library.sqlite", "library.sqlite-wal"] {
      try FileManager.default.copyItem(
        atPath: "\(folder.path)/live/\(name)", toPath: "\(folder.path)/store/\(name)")
    }
    protect(true)
    defer { protect(false) }
    let library = try folder.store(.visitor).library
    #expect(try await library.books().map(\.title) == ["Dune"])
  }

  /// A write waits for another program's commit, however long it takes: an import of a million books is one commit.
  @Test func scanIsAcceptedAfterALongCommit() async throws {
    #expect(StoreOpening.patience >= 600)
    let store = try folder.store()
    let other = try DatabaseQueue(path: "\(folder.path)/store/library.sqlite")
    let accepting = try await other.writeWithoutTransaction { database in
      try database.execute(sql: "BEGIN IMMEDIATE")
      let task = Task { try await store.queue.accept(.photo()) }
      try database.execute(sql: "INSERT INTO receipt VALUES ('a', 1, 1); COMMIT")
      return task
    }
    #expect(try await accepting.value == .accepted)
  }
}

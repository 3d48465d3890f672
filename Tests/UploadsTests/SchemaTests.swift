import Foundation
import GRDB
import Testing

@testable import Library
@testable import Uploads

@Suite struct SchemaTests {
  let folder = try! TemporaryFolder()

  private func database(upTo migration: String) throws -> DatabasePool {
    try FileManager.default.createDirectory(atPath: "\(folder.path)/store", withIntermediateDirectories: true)
    let pool = try DatabasePool(path: "\(folder.path)/store/library.sqlite")
    try Schema.migrator.migrate(pool, upTo: migration)
    return pool
  }

  private static let scan = """
    INSERT INTO scan (key, capturedAt, text, metadata, state)
    VALUES ('7f2c7c6e-2f58-4d6b-9a0c-0a6f0a6f0a6f', 5, 'DUNE', '{}', 'pending')
    """
  private static let book = """
    INSERT INTO book (title, author, addedAt, matchKey) VALUES ('Émile', 'Rousseau', 5, 'emile')
    """

  @Test(arguments: [
    "1 queue", "2 library", "3 full-text search", "4 deaths", "5 findings", "6 curation", "7 confidence",
    "8 photographs", "9 clock", "10 locations",
  ])
  func scanOfEveryEarlierSchemaIsDelivered(migration: String) async throws {
    do { try await database(upTo: migration).write { try $0.execute(sql: Self.scan) } }
    let store = try folder.store()
    await Uploader(store: store, backend: ScriptedBackend(), clock: InstantClock()).drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 1))
    #expect(try await store.library.search("dune").count == 1)
  }

  @Test(arguments: [
    "2 library", "3 full-text search", "4 deaths", "5 findings", "6 curation", "7 confidence",
    "8 photographs", "9 clock", "10 locations",
  ])
  func bookOfEveryEarlierSchemaIsFound(migration: String) async throws {
    do { try await database(upTo: migration).write { try $0.execute(sql: Self.book) } }
    let library = try folder.store().library
    #expect(try await library.search("emile rousseau").map(\.title) == ["Émile"])
  }

  @Test func everyMigrationIsTestedAbove() {
    #expect(
      Schema.migrator.migrations == [
        "1 queue", "2 library", "3 full-text search", "4 deaths", "5 findings", "6 curation",
        "7 confidence", "8 photographs", "9 clock", "10 locations",
      ])
  }

  private static let future = "INSERT INTO grdb_migrations (identifier) VALUES ('12 what is to come')"

  /// A program must neither write nor read a schema that it does not know.
  @Test(arguments: [Store.Access.owner, .visitor])
  func libraryOfANewerSchemaIsRefused(access: Store.Access) async throws {
    do {
      let store = try folder.store()
      try await store.library.add(BookFinding(title: "Dune"))
      try await store.database.write { try $0.execute(sql: Self.future) }
    }
    let error = #expect(throws: DeliveryError.self) { try folder.store(access) }
    #expect(error?.kind == .badInput)
    let known = Schema.migrator.migrations.count
    #expect(
      error?.description
        == "Cannot open the library \(folder.path)/store/library.sqlite: a newer SwiftWing has written it: its schema is 12, this one's is \(known); use the newer SwiftWing, or choose another library with --library."
    )
  }

  /// A visitor must not migrate the schema while another program uses the library.
  @Test func visitorLeavesTheOldSchemaOfARunningProgram() async throws {
    do { _ = try database(upTo: "2 library") }
    let lock = open("\(folder.path)/store/owner.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let error = #expect(throws: DeliveryError.self) { try folder.store(.visitor) }
    #expect(error?.kind == .inUse)
    // Unlocks explicitly: a process that another test is just starting may have a copy of the descriptor, which would keep the
    // lock.
    flock(lock, LOCK_UN)
    close(lock)
    #expect(try await folder.store(.visitor).library.count() == 0)
  }

  @Test func openingAgainChangesNothing() async throws {
    do { try await folder.store().library.add(BookFinding(title: "Dune")) }
    #expect(try await folder.store().library.count() == 1)
  }

  @Test func fileThatIsNoLibraryIsSaid() throws {
    try FileManager.default.createDirectory(atPath: "\(folder.path)/store", withIntermediateDirectories: true)
    try Data(repeating: 7, count: 9000).write(to: URL(filePath: "\(folder.path)/store/library.sqlite"))
    let error = #expect(throws: DeliveryError.self) { try folder.store() }
    #expect(error?.description.contains("restore the library file from a backup") == true)
  }
}

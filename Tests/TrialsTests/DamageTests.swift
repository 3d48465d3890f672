import Foundation
import GRDB
import RecordedTurns
import System
import Testing

@testable import Library
@testable import Uploads
@testable import swiftwing_trials

/// A library with one damaged cell: every reader gets an error, and no process crashes.
@Suite struct DamageTests {
  private let folder = try! TemporaryFolder()

  /// Damages twelve cells for each seed. `swiftwing-trials damage` runs the program itself on thousands of damaged cells.
  @Test(arguments: 1...25 as ClosedRange<UInt64>)
  func everyReaderSurvivesADamagedCell(seed: UInt64) async throws {
    let library = try await DamagedLibrary(making: "\(folder.path)/whole")
    var chance = SplitMix64(seed: seed)
    for _ in 0..<12 {
      let copy = "\(folder.path)/damaged"
      let damage = try library.damage(in: copy, &chance)
      for error in await Self.readAll(copy) {
        #expect(error is DeliveryError, "\(damage): \(error)")
        let text = "\(error)"
        #expect(
          text.hasPrefix("Cannot ") && text.hasSuffix(".") && !text.contains("\n"), "\(damage): \(text)")
      }
    }
  }

  /// Reads everything in a library.
  /// - Returns: the errors of everything that could not be read.
  private static func readAll(_ directory: String) async -> [any Error] {
    var errors: [any Error] = []
    func attempt(_ body: () async throws -> Void) async {
      do { try await body() } catch { errors.append(error) }
    }
    await attempt {
      let store = try Store(directory: directory, access: .visitor)
      let library = store.library
      var ids: [Int64] = []
      await attempt { ids = try await library.books(limit: 1000, .all).map(\.id) }
      await attempt { _ = try await library.search("book", limit: 100, .all) }
      await attempt { _ = try await library.details(of: ids) }
      await attempt { _ = try await library.readings(of: try await library.books(limit: 100, .all)) }
      await attempt { for id in ids { _ = try await library.picture(of: id) } }
      await attempt { _ = try await library.copies(of: try await library.books(limit: 100, .all)) }
      await attempt { _ = try await library.duplicates() }
      await attempt { _ = try await library.booksToReview() }
      await attempt { _ = try await library.coverAddresses() }
      await attempt { _ = try await library.export(.all, as: .json) { _ in } }
      await attempt { _ = try await library.spines(limit: 1000) }
      await attempt { _ = try await library.changes() }
      await attempt { _ = try await library.undo(2) }
      await attempt { _ = try await store.queue.counts() }
      await attempt { _ = try await store.queue.scans(limit: 100) }
      await attempt {
        for scan in try await store.queue.scans(limit: 9) { _ = try await store.queue.submission(of: scan) }
      }
      await attempt { _ = try await store.queue.pause(at: try await store.queue.time().now) }
      await attempt { _ = try await store.queue.cleanupsDue(at: .distantFuture, limit: 9) }
      await attempt { _ = try await store.queue.retry() }
    }
    await attempt {
      let store = try Store(directory: directory)
      for scan in try await store.queue.scans(limit: 3) { _ = try await store.queue.drop(scan.key) }
    }
    return errors
  }

  /// The error names the damaged cell.
  @Test func theErrorNamesTheCell() async throws {
    do { try await folder.store().library.add(BookFinding(title: "Dune")) }
    let queue = try DatabaseQueue(path: "\(folder.path)/store/library.sqlite")
    try await queue.writeWithoutTransaction { database in
      try database.execute(
        sql:
          "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, ' STRICT', '') WHERE name = 'book'"
      )
    }
    try queue.close()
    let again = try DatabaseQueue(path: "\(folder.path)/store/library.sqlite")
    try await again.write { try $0.execute(sql: "UPDATE book SET format = x'FF'") }
    try again.close()
    let error = await #expect(throws: DeliveryError.self) { try await folder.store().library.books() }
    #expect(error?.kind == .damaged)
    #expect(
      error?.description
        == "Cannot read the library \(folder.path)/store: in the row 1 of its table book, format is a blob, "
        + "not a text; restore the library file from a backup."
    )
  }

  static let stranger = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/data/strangers/damaged-library/library.sqlite").standardized

  @Test(.enabled(if: FileManager.default.fileExists(atPath: stranger.path)))
  func theLibraryOfAStrangerIsAnError() async throws {
    let place = "\(folder.path)/store"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Self.stranger.path, toPath: "\(place)/library.sqlite")
    let error = await #expect(throws: DeliveryError.self) { try await folder.store(.visitor).library.books() }
    #expect(error?.kind == .damaged)
  }

  /// If a library was not closed, all of it is checked before anything is read. This test reads no row itself.
  @Test func fileThatWasNotClosedIsCheckedWhole() async throws {
    let library = try await DamagedLibrary(making: "\(folder.path)/whole")
    var chance = SplitMix64(seed: 7)
    var refused = 0
    for _ in 0..<40 {
      let copy = "\(folder.path)/damaged"
      let damage = try library.damage(in: copy, &chance)
      // A killed program leaves the library with its write-ahead log.
      let live = try DatabaseQueue(path: "\(copy)/library.sqlite")
      try await live.write { try $0.execute(sql: "CREATE TABLE other (a)") }
      let torn = "\(folder.path)/torn"
      try? FileManager.default.removeItem(atPath: torn)
      try FileManager.default.copyItem(atPath: copy, toPath: torn)
      try live.close()
      do { _ = try Store(directory: torn, access: .visitor) } catch {
        refused += 1
        // A library with unknown migrations counts as another program's, not as damaged.
        #expect(error.kind == .damaged || damage.hasPrefix("grdb_migrations"), "\(damage): \(error)")
      }
    }
    #expect(refused > 5)
  }
}

extension TemporaryFolder {
  fileprivate func store(_ access: Store.Access = .owner) throws -> Store {
    try Store(directory: "\(path)/store", access: access)
  }
}

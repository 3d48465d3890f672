import Foundation
import Testing

@testable import Library
@testable import Uploads

@Suite struct StorePlaceTests {
  let folder = try! TemporaryFolder()

  @Test func standardPlaceFollowsTheSpecification() throws {
    #expect(try Store.standardDirectory(["XDG_DATA_HOME": "/d", "HOME": "/h"]) == "/d/swiftwing")
    #expect(try Store.standardDirectory(["XDG_DATA_HOME": "d", "HOME": "/h"]) == "/h/.local/share/swiftwing")
    let error = #expect(throws: DeliveryError.self) { try Store.standardDirectory(["HOME": ""]) }
    #expect(error?.kind == .badInput)
  }

  @Test(
    arguments: [
      ("/a/b", "/a/b"), ("/a/library.sqlite", "/a"), ("library.sqlite", "."), ("/library.sqlite", "/"),
      ("a/library.sqlite", "a"), ("mylibrary.sqlite", "mylibrary.sqlite"),
    ])
  func fileOrFolderMayBeNamed(path: String, directory: String) {
    #expect(Store.directory(named: path) == directory)
  }

  /// SQLite would take the path for a URI, and open a file elsewhere.
  @Test func aPathIsNoURI() async throws {
    let directory = "file:\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    do { try await Store(directory: directory).library.add(BookFinding(title: "Dune")) }
    #expect(try await Store(directory: directory).library.count() == 1)
    chmod("\(directory)/library.sqlite", 0o400)
    #expect(try await Store(directory: directory, access: .visitor).library.count() == 1)
  }

  @Test func foldersAndFilesAreTheirOwnersAlone() async throws {
    let old = umask(0)
    defer { umask(old) }
    let store = try Store(directory: "\(folder.path)/data/swiftwing")
    try await store.library.add(BookFinding(title: "Dune"))
    #expect(Store.exists(in: store.directory) && !Store.exists(in: folder.path))
    #expect(try folder.mode(of: "data") == 0o700)
    for name in try FileManager.default.contentsOfDirectory(atPath: store.directory) where name != "images" {
      #expect(try folder.mode(of: "data/swiftwing/\(name)") == 0o600, "\(name)")
    }
  }

  /// A process that is being started has copies of all descriptors until it runs its program. They must not keep the lock.
  @Test func theLockIsLetGoOfForCopiesOfItToo() throws {
    var store: Store? = try folder.store()
    let copies = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { CInt($0) }
      .filter {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))
          == "\(folder.path)/store/owner.lock"
      }.map { dup($0) }
    defer { for copy in copies { close(copy) } }
    #expect(copies.count == 1 && store != nil)
    #expect(throws: DeliveryError.self) { try folder.store() }
    store = nil
    #expect(throws: Never.self) { try folder.store() }
  }

  /// Opening a store removes other users' permissions from an existing library file.
  @Test func openFileIsClosedToOthers() throws {
    do { _ = try folder.store() }
    chmod("\(folder.path)/store/library.sqlite", 0o644)
    _ = try folder.store()
    #expect(try folder.mode(of: "store/library.sqlite") == 0o600)
  }
}

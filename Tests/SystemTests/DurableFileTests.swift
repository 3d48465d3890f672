import Foundation
import Testing

@testable import System

@Suite final class DurableFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "system-\(UUID().uuidString)")
    .path
  private var path: String { "\(folder)/file" }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }
  private var text: String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func oldFileIsThereUntilTheNewOneIsWhole() throws {
    try DurableFile.replace(path, with: Array("old".utf8))
    let file = try DurableFile(path)
    try file.write(Array("new ".utf8))
    #expect(text == "old")
    try file.write(Array("file".utf8))
    try file.replace()
    #expect(text == "new file")
    #expect(names == ["file"])
  }

  @Test func draftThatIsNotFinishedIsRemoved() throws {
    do {
      let file = try DurableFile(path)
      try file.write([1, 2, 3])
      #expect(names.count == 1 && names.first?.hasSuffix(".new") == true)
    }
    #expect(names == [])
  }

  @Test func fileIsClaimedOnce() throws {
    let (first, second) = (try DurableFile(path), try DurableFile(path))
    try first.write(Array("first".utf8))
    try second.write(Array("second".utf8))
    #expect(try first.claim())
    #expect(try !second.claim())
    #expect(text == "first")
  }

  @Test func fileIsItsOwnersAloneUnlessAskedOtherwise() throws {
    try DurableFile.replace(path, with: [1])
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  /// A symbolic link is replaced, and its target stays unchanged.
  @Test func linkIsNotFollowed() throws {
    try Data("other".utf8).write(to: URL(filePath: "\(folder)/other"))
    symlink("\(folder)/other", path)
    try DurableFile.replace(path, with: Array("mine".utf8))
    #expect(text == "mine")
    #expect(try String(contentsOfFile: "\(folder)/other", encoding: .utf8) == "other")
  }

  @Test func missingFolderIsSaid() {
    let error = #expect(throws: SystemError.self) { try DurableFile("\(folder)/none/file") }
    #expect(error == SystemError(ENOENT) && error?.reason == "No such file or directory")
  }

  /// A folder cannot be replaced by a file. After this error, the temporary file is deleted.
  @Test func refusedReplacementLeavesNothing() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    #expect(throws: SystemError(EISDIR)) { try DurableFile.replace(path, with: [1]) }
    #expect(names == ["file"])
  }
}

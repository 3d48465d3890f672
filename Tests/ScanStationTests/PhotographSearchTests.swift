import Foundation
import Testing

@testable import ScanStation

/// The search for photographs under given files and folders.
@Suite final class PhotographSearchTests {
  private let root = FileManager.default.temporaryDirectory.appending(path: "search-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: root) }

  private func put(_ name: String, _ bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]) throws {
    let file = root.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  private func names(_ search: PhotographSearch) -> [String] {
    search.photographs.map { String($0.path.dropFirst(root.path.count + 1)) }
  }

  @Test func foldersAreWalkedInTheOrderOfAPerson() throws {
    for name in ["shelf 10.jpg", "shelf 2.jpg", "Shelf 1.JPG", "a/02.jpg", "a/1.jpg", "a/b/9.png"] {
      try put(name, name.hasSuffix("png") ? [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] : [0xFF, 0xD8, 0xFF])
    }
    try put("picture without a name", [0xFF, 0xD8, 0xFF])
    try put("text.jpg", Array("no picture".utf8))
    try put("empty.jpg", [])
    try put(".hidden.jpg")
    try put(".folder/1.jpg")
    let search = PhotographSearch([root.path + "/"])
    #expect(
      names(search) == [
        "a/1.jpg", "a/02.jpg", "a/b/9.png", "picture without a name", "Shelf 1.JPG", "shelf 2.jpg",
        "shelf 10.jpg",
      ])
    #expect(search.hidden == 2 && search.others == 2 && search.links == 0 && search.unreadable.isEmpty)
    #expect(search.photographs.allSatisfy { $0.folder == root.path && $0.bytes > 0 })
  }

  @Test func linksAreNotFollowedAndNothingIsFoundTwice() throws {
    try put("in/1.jpg")
    try put("out/2.jpg")
    let folder = root.appending(path: "in").path
    try FileManager.default.createSymbolicLink(atPath: "\(folder)/loop", withDestinationPath: folder)
    try FileManager.default.createSymbolicLink(atPath: "\(folder)/out", withDestinationPath: "../out")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/2.jpg", withDestinationPath: "../out/2.jpg")
    let search = PhotographSearch([folder, "\(folder)/1.jpg", folder])
    #expect(names(search) == ["in/1.jpg"] && search.links >= 3)
    // A link that is given itself is followed.
    #expect(names(PhotographSearch(["\(folder)/2.jpg"])) == ["in/2.jpg"])
  }

  @Test func whatIsNamedItselfIsTakenAsItIs() throws {
    try put(".hidden.jpg")
    let none = root.appending(path: "none.jpg").path
    let search = PhotographSearch([root.appending(path: ".hidden.jpg").path, none])
    #expect(names(search) == [".hidden.jpg", "none.jpg"])
    #expect(search.photographs.last?.bytes == 0 && search.photographs.allSatisfy { $0.folder == nil })
  }

  @Test func aNameThatIsNotUTF8IsTold() {
    let error = #expect(throws: PhotoFileError.self) {
      try Photograph.contents(root.appending(path: "a\u{FFFD}.jpg").path)
    }
    #expect(error?.description.contains("its name is not UTF-8") == true)
  }

  @Test func foldersTooDeepAreTold() throws {
    let deep = (0...PhotographSearch.depthLimit).map { _ in "d" }.joined(separator: "/")
    try put("\(deep)/1.jpg")
    let search = PhotographSearch([root.path])
    #expect(search.photographs.isEmpty && search.unreadable.count == 1)
  }

  @Test func pipesAreNotWaitedFor() throws {
    #expect(mkfifo(root.appending(path: "pipe.jpg").path, 0o600) == 0)
    let search = PhotographSearch([root.path])
    #expect(search.photographs.isEmpty && search.others == 1)
  }

  @Test func numbersAreComparedAsNumbers() {
    for (one, other) in [
      ("2", "10"), ("a2b", "a10b"), ("A", "b"), ("a", "B"), ("01", "2"), ("img9", "img010"),
      ("99999999999999999999998", "99999999999999999999999"), ("a", "a1"), ("1", "a"),
    ] {
      #expect(NaturalOrder.precedes(one, other) && !NaturalOrder.precedes(other, one), "\(one) \(other)")
    }
    #expect(NaturalOrder.precedes("01", "1") != NaturalOrder.precedes("1", "01"))
    #expect(!NaturalOrder.precedes("x", "x"))
  }
}

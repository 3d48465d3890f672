import Bibliography
import Foundation
import Testing

@testable import Catalogue

@Suite struct HoldingsTests {
  private func list(_ bytes: [UInt8], named name: String) throws -> HoldingsList {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "holdings-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(name)
    try Data(bytes).write(to: file)
    return try HoldingsList(file.path)
  }

  @Test(arguments: ["Call Number", "itemcallnumber", "Signatur", "Dewey Decimal", "mark"])
  func aTableHasMarks(_ column: String) throws {
    let list = try list(
      Array("title;author;\(column);colour\nPersuasion;Jane Austen;823.7 AUS;red\nEmma;Jane Austen;;\n".utf8),
      named: "list.csv")
    #expect(
      list.books.map(\.mark) == ["823.7 AUS", nil] && list.books.map(\.title) == ["Persuasion", "Emma"])
    #expect(list.notes.count == 1 && list.notes[0].hasSuffix("columns that are not read: colour"))
  }

  @Test func eachCopyOfARecordIsABook() throws {
    let title = ("245", field("$aPersuasion /"))
    let two = marc([
      title, ("082", field("$a823.7")), ("852", field("$h823.7$iAUS c.1")),
      ("852", field("$h823.7$iAUS c.2")),
    ])
    let koha = marc([title, ("952", field("$o823.7 AUS"))])
    let local = marc([title, ("050", field("$aPR4034$b.P4")), ("090", field("$aPR4034$b.P4 1998"))])
    let list = try list(two + koha + local + marc([title]), named: "list.mrc")
    #expect(
      list.books.map(\.mark) == ["823.7 AUS c.1", "823.7 AUS c.2", "823.7 AUS", "PR4034 .P4 1998", nil])
    #expect(list.books.allSatisfy { $0.title == "Persuasion" })
  }

  @Test func aMarkThatCannotBeReadCostsNoBook() throws {
    // The mark has an escape sequence for a MARC-8 script that the reader does not support.
    let record = marc(
      [("245", field("$aPersuasion")), ("852", field("$h") + [0x1B, 0x28, 0x4E, 0x41])], scheme: 0x20)
    #expect(
      try list(record, named: "list.mrc").books == [
        Holding(title: "Persuasion", author: "", mark: nil, isbns: [])
      ])
  }

  @Test(arguments: ["list.txt", "ol_dump.txt", "list"]) func whatIsNoListIsRefused(_ name: String) {
    #expect(throws: CatalogueError.self) { try list(Array("title\nEmma\n".utf8), named: name) }
    #expect(throws: CatalogueError.self) { try list(Array("title\n".utf8), named: "list.csv") }
  }
}

import Bibliography
import Foundation
import Testing

@testable import ShelfReading

/// Shelf marks with the keys by which other programs sort them, from the folder `Marks`. The marks are invented in the forms of
/// real ones. `congress.tsv` has the keys of `Library::CallNumber::LC` 0.23 (Debian's `liblibrary-callnumber-lc-perl`). `dewey.tsv`
/// has those of Koha's `C4::ClassSortRoutine::Dewey`, which Debian does not package, with blanks in place of its underscores: the
/// database that sorts the keys puts underscores before all letters and digits too.
private struct MarkTable {
  let rows: [(key: String, mark: String)]

  init(_ name: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Marks")
    let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    rows = text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t")
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
  }

  /// Returns the neighbouring marks that our keys sort in another order.
  func differences(_ scheme: CallNumber.Scheme) throws -> [String] {
    let keys = try rows.map { try #require(CallNumber($0.mark, as: scheme)).key }
    return rows.indices.dropFirst().compactMap { index in
      let (one, other) = (rows[index - 1], rows[index])
      let isSame = one.key == other.key ? keys[index - 1] == keys[index] : keys[index - 1] < keys[index]
      return isSame ? nil : "\(one.mark) | \(other.mark)"
    }
  }
}

@Suite struct CallNumberTests {
  @Test(arguments: [("congress.tsv", CallNumber.Scheme.congress), ("dewey.tsv", .dewey)])
  func marksAreSortedAsLibrariesSortThem(_ name: String, _ scheme: CallNumber.Scheme) throws {
    let table = try MarkTable(name)
    #expect(table.rows.count == 1000)
    let differences = try table.differences(scheme)
    #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(12))")
    #expect(ShelfRule(of: table.rows.map { Holding(title: "", mark: $0.mark) }).rawValue == scheme.rawValue)
  }

  @Test func volumesCountByTheirValue() throws {
    let marks = ["813.54 ORU v.2", "813.54 ORU v.10", "813.6 ABC", "REF 030 ENC"]
    #expect(marks.compactMap { CallNumber($0)?.key } == marks.compactMap { CallNumber($0)?.key }.sorted())
    #expect(CallNumber("813/.54 ORU")?.key == CallNumber("813.54 Oru")?.key)
    #expect(CallNumber("813.540 ORU")?.key == CallNumber("813.54 ORU")?.key)
  }

  @Test func whatIsNoSchemesIsTheLibrarysOwn() {
    #expect(CallNumber("Rom KAF")?.scheme == nil)
    #expect(CallNumber("Rom 2 KAF")?.key ?? "" < CallNumber("Rom 10 KAF")?.key ?? "")
    #expect(CallNumber(" .-/ ") == nil && CallNumber("") == nil)
    #expect(CallNumber("QA76.76 .O63 D5 2006")?.scheme == .congress && CallNumber("N Oru")?.scheme == nil)
  }
}

/// The file format of a list of books.
package enum CatalogueFormat: String, Sendable, CaseIterable, Codable {
  /// A table whose columns are separated by commas, semicolons or tabs, with their names in the first line.
  case csv
  /// MARC 21, binary (ISO 2709) or as XML.
  case marc
  /// A dump of Open Library: editions, works, authors, or all of them.
  case openlibrary

  /// Chooses the format by the extension of a file name, ignoring `.gz`. Nil if the extension is unknown.
  package init?(fileName: String) {
    var parts = fileName.lowercased().split(separator: "/").last.map { $0.split(separator: ".") } ?? []
    if parts.last == "gz" { parts.removeLast() }
    let isDump = parts.first?.hasPrefix("ol_dump") == true
    switch parts.last {
    case "csv", "tsv", "tab": self = .csv
    case "mrc", "marc", "marcxml", "xml": self = .marc
    case "txt" where isDump, "openlibrary": self = .openlibrary
    default: return nil
    }
  }

  /// - Parameter first: the first bytes of the file.
  func reader(first: ArraySlice<UInt8>) -> any RecordReader {
    switch self {
    case .csv: DelimitedListReader()
    case .openlibrary: OpenLibraryReader()
    case .marc: Self.isXML(first) ? MARCXMLReader() : MARCReader()
    }
  }

  /// Whether the first character is `<`, after a byte order mark and white space. In UTF-16 each ASCII letter has a zero byte beside it.
  private static func isXML(_ first: ArraySlice<UInt8>) -> Bool {
    first.first { ![0, 9, 10, 13, 32, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains($0) } == UInt8(ascii: "<")
  }
}

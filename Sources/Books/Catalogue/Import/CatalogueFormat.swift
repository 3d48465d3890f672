/// How a list of books is written.
package enum CatalogueFormat: String, Sendable, CaseIterable, Codable {
  /// A table with the names of its columns in the first line, divided by commas, semicolons or tabs.
  case csv
  /// MARC 21, binary (ISO 2709) or as XML.
  case marc
  /// A dump of Open Library: editions, works, authors, or all of them.
  case openlibrary

  /// By the ending of a file's name, `.gz` left out; nil when it tells nothing.
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

  /// After a byte order mark and white space; in UTF-16 each letter has a zero beside it.
  private static func isXML(_ first: ArraySlice<UInt8>) -> Bool {
    first.first { ![0, 9, 10, 13, 32, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains($0) } == UInt8(ascii: "<")
  }
}

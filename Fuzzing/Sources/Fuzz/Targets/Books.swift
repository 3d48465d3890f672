import Foundation

@testable import Bibliography
@testable import Library

extension FuzzTarget {
  static let books = [csv, bookJSON, bookISBN]

  /// Reads one text as an ISBN and as a cell of ISBNs, and writes it as a cell that a spreadsheet must not run.
  private static let bookISBN = FuzzTarget(
    name: "books-isbn", longest: 1024,
    seeds: [
      [UInt8]("ISBN-13: 978\u{2011}0\u{A0}306 40615-7 (pbk.); [080442957X]"), [UInt8]("9,78031E+12"),
      [UInt8]("9,780,306,406,157"), [UInt8]("'=a;\"'+b"),
    ]
  ) { input in
    let text = String(decoding: input, as: UTF8.self)
    let reading = ISBN.read(text)
    hold(reading.isbns.allSatisfy { ISBN.normalize($0) == $0 }, "an ISBN that is none")
    hold(reading.isbns.isEmpty || reading.trouble == nil, "trouble with what was read")
    if let only = ISBN.normalize(text) {
      hold(reading.isbns == [only], "one ISBN is read otherwise in a list")
    }
    hold(CSVCell.read(guarded(text)) == text, "a guarded value reads otherwise")
  }

  /// Returns the cell as it is written to a file, without its quotation marks.
  private static func guarded(_ text: String) -> String {
    var table = DelimitedReader()
    let line = "a\n" + CSVCell.write(text) + "\n"
    guard (try? table.head(Array(line.utf8))) != nil else { return "" }
    let rows = table.parse([])
    if case .fields(let cells, _)? = rows.first { return cells[0] }
    hold(rows.isEmpty, "a value that is written cannot be read: \(rows)")
    return ""
  }

  private static let csv = FuzzTarget(
    name: "books-csv",
    seeds: [
      [UInt8](
        "title,author,isbn,format,coverURL,addedAt,confidence\r\n\"Emma, again\",Jane \"\"A\"\",9780141439587,,https://x.org/a,2026-11-21T16:15:29.123Z,0.5\r\n"
      ), [UInt8]("\u{FEFF}Title\n'=1+1\n\"a\"\"b\"\n"),
      [UInt8]("Title\tPrimary Author\tISBN\rA \"b\" c\tQ|R\t[0306406152]\r"),
      [UInt8]("Title,Author l-f,Additional Authors,ISBN13,Review\nT,\"Q, A\",B,=\"9780306406157\",x\n"),
      [UInt8](
        "sep=;\nid;library;title;certainty;confirmedAt;copies;confidence\n7;a-b;Emma;sure;2026-11-21T16:15:29.123Z;2;0,5\n"
      ),
      Array("title\nEmma\n".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
    ]
  ) { read($0, .csv) }

  private static let bookJSON = FuzzTarget(
    name: "books-json",
    seeds: [
      [UInt8](
        #"{"schema":"swiftwing-library/1","books":[{"title":"Emma","author":"Jane \"A\"","isbn":"9780141439587","addedAt":"2026-11-21T16:15:29Z","confidence":0.5},{"title":"}"}]}"#
      ), [UInt8]("[{\"title\":\"x\"}]"),
    ]
  ) { read($0, .json) }

  /// Returns the records of a list; nil if the list is refused.
  private static func records(_ bytes: [UInt8], _ format: BookListFormat, by step: Int) -> [BookRecord]? {
    var reader = BookListReader(format)
    var (found, rest): ([BookRecord], ArraySlice<UInt8>) = ([], bytes[...])
    do throws(ListTrouble) {
      while !rest.isEmpty {
        found += try reader.parse(rest.prefix(step)).map(\.record)
        rest = rest.dropFirst(step)
      }
      return try found + reader.end().map(\.record)
    } catch {
      hold(error.line >= 1 && !error.reason.isEmpty, "trouble without a place")
      return nil
    }
  }

  private static func read(_ input: UnsafeRawBufferPointer, _ format: BookListFormat) {
    let bytes = Array(input)
    let whole = records(bytes, format, by: bytes.count + 1)
    hold(isSame(records(bytes, format, by: 1), whole), "it reads otherwise byte by byte")
    let sound = (whole ?? []).filter { $0.trouble == nil && (try? $0.finding()) != nil }
    let encoder = JSONEncoder()
    for format in BookListFormat.allCases {
      guard
        let text = try? sound.enumerated().map({ try format.text($1, isFirst: $0 == 0, encoder) }).joined()
      else { fatalError("it cannot be written as \(format)") }
      let again = records(Array((format.opening + text + format.closing).utf8), format, by: 1000)
      hold(
        isSame(again, sound), "written as \(format) it reads otherwise: \(sound) \(String(describing: again))"
      )
    }
  }

  private static func isSame(_ one: [BookRecord]?, _ other: [BookRecord]?) -> Bool {
    // In a list, a missing value equals an empty one.
    func plain(_ records: [BookRecord]?) -> [String]? {
      records?.map {
        let own =
          "\($0.certainty?.rawValue ?? "")|\($0.confirmedAt ?? -1)|\($0.copies ?? -1)|\($0.place?.id ?? 0)|\($0.place?.library ?? "")"
        return
          "\(own)|\($0.title)|\($0.author)|\(ISBN.read($0.isbn ?? "").isbns.first ?? "")|\($0.format ?? "")|\($0.coverURL ?? "")|\($0.addedAt ?? -1)|\((100 * ($0.confidence ?? -1)).rounded())"
      }
    }
    return plain(one) == plain(other)
  }
}

@testable import Catalogue

extension FuzzTarget {
  static let catalogues = [catalogueTable, catalogueMARC, catalogueXML, catalogueDump, catalogueReading]

  private static let catalogueTable = FuzzTarget(
    name: "catalogue-csv",
    seeds: [
      [UInt8]("title;author;isbn\r\n\"Emma; \"\"again\"\"\";Jane;9780141439587\r\n"),
      [UInt8]("\u{FEFF}Title\tvolume\nFaust\t2\n"),
      [UInt8]("sep=|\rTitle|Primary Author|ISBN/UID|x\rFaust|G|[3596294312]|\r"),
    ]
  ) { read($0) { DelimitedListReader() } }

  private static let catalogueMARC = FuzzTarget(
    name: "catalogue-marc",
    seeds: [
      [UInt8](
        "00080nam a2200049   4500020001500000245001500015\u{1E}  \u{1F}a3596294312\u{1E}10\u{1F}aFaust /\u{1F}bI\u{1E}\u{1D}"
      )
    ]
  ) { read($0) { MARCReader() } }

  private static let catalogueXML = FuzzTarget(
    name: "catalogue-marcxml",
    seeds: [
      [UInt8](
        "<collection xmlns=\"http://www.loc.gov/MARC21/slim\"><record><datafield tag=\"245\"><subfield code=\"a\">Faust &amp; &#223;</subfield></datafield></record></collection>"
      ),
      [UInt8](
        "<?xml version=\"1.0\" encoding=\"windows-1252\"?><c><record><datafield tag=\"245\"><subfield code=\"a\">Caf"
      )
        + [0xE9] + [UInt8]("</subfield></datafield></record></c>"),
    ]
  ) { read($0) { MARCXMLReader() } }

  private static let catalogueDump = FuzzTarget(
    name: "catalogue-openlibrary",
    seeds: [
      [UInt8](
        "/type/edition\t/books/OL1M\t3\t2008\t{\"title\":\"Pelle\",\"isbn_10\":[\"3596294312\"],\"authors\":[{\"key\":\"/authors/OL2A\"}],\"works\":[{\"key\":\"/works/OL9W\"}]}\n/type/author\t/authors/OL2A\t1\t2008\t{\"name\":\"x\"}\n"
      )
    ]
  ) { read($0) { OpenLibraryReader() } }

  /// Compares a reading and a book, in any script.
  private static let catalogueReading = FuzzTarget(
    name: "catalogue-reading", longest: 1024,
    seeds: [[UInt8]("DER PROZES\nPrans Kafka\nDer Prozess 2\nKafka, Franz")]
  ) { bytes in
    let parts = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
    let reading = Reading(title: part(0), author: part(1))
    let book = StoredBook(
      title: part(2), subtitle: part(4), author: part(3), volume: "", edition: part(5), publisher: "",
      isbns: [])
    let agreement = Agreement(book, with: reading)
    hold((0...1.000001).contains(agreement.score), "a score of \(agreement.score)")
    hold(
      Decision.choose([agreement, agreement], for: reading).count != 1,
      "a book is not the same work as itself")
    hold(reading.whole.letterCount <= 2 * Reading.letterLimit, "a reading without bounds")
  }

  private static func items(_ bytes: [UInt8], _ reader: () -> any RecordReader, by step: Int) -> [ReadItem]? {
    var (reader, found, rest): (any RecordReader, [ReadItem], ArraySlice<UInt8>) = (reader(), [], bytes[...])
    do throws(ListRefusal) {
      while !rest.isEmpty {
        found += try reader.parse(rest.prefix(step))
        rest = rest.dropFirst(step)
      }
      return try found + reader.end()
    } catch {
      hold(!error.reason.isEmpty, "a refusal without a reason")
      return nil
    }
  }

  private static func read(_ input: UnsafeRawBufferPointer, _ reader: () -> any RecordReader) {
    let bytes = Array(input)
    let whole = items(bytes, reader, by: bytes.count + 1)
    hold(items(bytes, reader, by: 1) == whole, "it reads otherwise byte by byte")
    for case .book(let record) in whole ?? [] {
      hold(
        !record.title.isEmpty && record.title.utf8.count <= CatalogueRecord.fieldLimit,
        "a title without bounds")
    }
  }
}

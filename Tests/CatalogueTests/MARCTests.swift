import Foundation
import Testing

@testable import Catalogue

/// Returns a binary MARC 21 record with these fields, each a tag and the field's bytes without the field terminator.
func marc(_ fields: [(String, [UInt8])], scheme: UInt8 = UInt8(ascii: "a")) -> [UInt8] {
  func digits(_ number: Int, _ count: Int) -> [UInt8] {
    let text = String(number)
    return Array((String(repeating: "0", count: max(0, count - text.count)) + text).utf8)
  }
  var (directory, data): ([UInt8], [UInt8]) = ([], [])
  for (tag, field) in fields {
    directory += Array(tag.utf8) + digits(field.count + 1, 4) + digits(data.count, 5)
    data += field + [0x1E]
  }
  let base = 24 + directory.count + 1
  let leader =
    digits(base + data.count + 1, 5) + Array("nam ".utf8) + [scheme] + Array("22".utf8)
    + digits(base, 5) + Array("   4500".utf8)
  return leader + directory + [0x1E] + data + [0x1D]
}

/// Returns the bytes of a field with its indicators; `$a` in `text` begins the subfield a.
func field(_ text: String) -> [UInt8] {
  Array("10".utf8) + text.utf8.map { $0 == UInt8(ascii: "$") ? 0x1F : $0 }
}

@Suite struct MARCTests {
  private func read(_ bytes: [UInt8]) throws -> [ReadItem] { try items({ MARCReader() }, bytes) }

  private let kafka = marc([
    ("001", Array("x1".utf8)), ("020", field("$a3596294312 (pbk.) :")),
    ("100", field("$aKafka, Franz,$d1883-1924.")),
    ("245", field("$aDer Prozess /$cFranz Kafka.")), ("250", field("$a2. Aufl.")),
    ("260", field("$aFrankfurt :$bFischer,$c1983.")),
    ("700", field("$aBrod, Max.")), ("700", field("$aGoethe.$tFaust.")),
  ])

  @Test func aRecordBecomesABook() throws {
    let read = try read(kafka + Array("\n".utf8) + kafka)
    #expect(read.count == 2 && read[0] == read[1])
    let book = try #require(read.first?.record)
    #expect(book.title == "Der Prozess" && book.author == "Kafka, Franz; Brod, Max")
    #expect(book.edition == "2. Aufl" && book.publisher == "Fischer")
    #expect(book.isbns.map(\.text) == ["9783596294312"])
  }

  @Test func aDeletedRecordIsPassedOver() throws {
    var deleted = kafka
    deleted[5] = UInt8(ascii: "d")
    #expect(try read(deleted + kafka).map { $0.record == nil } == [true, false])
    let xml = ["d", "c"].map { status in
      "<record><leader>00000\(status)am a22</leader><datafield tag=\"245\"><subfield code=\"a\">T</subfield></datafield></record>"
    }
    let items = try items({ MARCXMLReader() }, Array("<collection>\(xml.joined())</collection>".utf8))
    #expect(items.map(\.record?.title) == [nil, "T"] && items.first == .passed)
  }

  @Test func partsOfATitleAreKept() throws {
    let bytes = marc([("245", field("$aDer Herr der Ringe.$nBd. 2,$pDie zwei Türme :$bRoman /"))])
    let book = try #require(try read(bytes).first?.record)
    #expect(
      book.title == "Der Herr der Ringe. Die zwei Türme" && book.volume == "Bd. 2" && book.subtitle == "Roman"
    )
  }

  @Test func marksOfMARC8StandBeforeTheirLetter() throws {
    // The titles are "Père Goriot", "Łódź", and a Greek letter after an escape sequence.
    let accent: [UInt8] = field("$aLe P") + [0xE1] + [UInt8]("ere Goriot".utf8)
    let polish: [[UInt8]] = [field("$a"), [0xA1, 0xE2], [UInt8]("od".utf8), [0xE2], [UInt8]("z".utf8)]
    let greek: [UInt8] = field("$a") + [0x1B, 0x67, 0x61]
    let fields: [[UInt8]] = [accent, Array(polish.joined()), greek]
    let bytes: [UInt8] = fields.flatMap { marc([("245", $0)], scheme: UInt8(ascii: " ")) }
    let read = try read(bytes)
    #expect(read.compactMap(\.record?.title) == ["Le Père Goriot", "Łódź"])
    #expect(read.compactMap(\.damage) == ["record 3: field 245 is in a script of MARC-8 that is not read"])
  }

  @Test func damageCostsOneRecord() throws {
    var leader = kafka
    var directory = kafka
    leader[12] = UInt8(ascii: "x")
    directory[27] = UInt8(ascii: "9")
    let long = [UInt8](repeating: 0x20, count: 200_000) + [0x1D]
    let latin = marc([("245", field("$aCaf") + [0xE9])])
    let read = try read(leader + directory + long + latin + kafka + kafka.prefix(60))
    #expect(
      read.compactMap(\.damage) == [
        "record 1: its leader is not that of MARC 21",
        "record 2: its directory points past the end of the record",
        "record 3: it is longer than 99,999 bytes", "record 4: field 245 is not UTF-8 text",
        "record 6: the file ends in the middle of this record",
      ])
    #expect(read.compactMap(\.record).count == 1)
  }

  /// A blank in the leader means MARC-8. Nevertheless, a record that is valid UTF-8 is read as UTF-8.
  @Test func utf8IsReadWhateverTheLeaderSays() throws {
    let bytes = marc([("245", field("$aCafé 書籍 /"))], scheme: UInt8(ascii: " "))
    #expect(try read(bytes).first?.record?.title == "Café 書籍")
  }

  /// Returns a record whose lengths and positions are counted by `count`, for example in characters instead of bytes.
  private func counted(_ fields: [(String, String)], by count: (String) -> Int) -> [UInt8] {
    func digits(_ number: Int, _ count: Int) -> String { String(("00000\(number)").suffix(count)) }
    var (directory, data) = ("", "")
    for (tag, text) in fields {
      directory += tag + digits(count(text) + 1, 4) + digits(count(data), 5)
      data += text + "\u{1E}"
    }
    let base = 24 + directory.utf8.count + 1
    return Array(
      "\(digits(base + count(data) + 1, 5))nam a22\(digits(base, 5))   4500\(directory)\u{1E}\(data)\u{1D}"
        .utf8)
  }

  @Test func lengthsInCharactersAreRead() throws {
    let fields = [
      ("100", "1 \u{1F}aQuíll, Adé,"), ("245", "10\u{1F}aCafé 🐋 lantérns /"), ("700", "1 \u{1F}aBo"),
    ]
    for bytes in [counted(fields) { $0.unicodeScalars.count }, counted(fields) { $0.utf16.count }] {
      let read = try read(bytes + kafka)
      #expect(
        read.first?.record?.title == "Café 🐋 lantérns" && read.first?.record?.author == "Quíll, Adé; Bo")
      #expect(read.count == 2 && read.last?.record?.title == "Der Prozess")
    }
  }

  /// If a field has lost or gained a byte, the fields after it are not where the directory says.
  @Test func damagedLengthsAreTold() throws {
    let place = try #require(kafka.firstRange(of: Array("Franz".utf8))).lowerBound
    var (shorter, longer) = (kafka, kafka)
    shorter.remove(at: place)
    longer.insert(UInt8(ascii: "x"), at: place)
    let read = try read(kafka + shorter + longer + kafka)
    #expect(
      read.compactMap(\.damage) == [
        "record 2: field 100 is not where its directory says",
        "record 3: field 100 is not where its directory says",
      ])
    #expect(read.compactMap(\.record).count == 2)
  }

  @Test func aMissingEndCostsNoRecord() throws {
    let read = try read(Array(kafka.dropLast()) + kafka + Array(kafka.dropLast()) + Array("\r\n".utf8))
    #expect(read.count == 3 && read.compactMap(\.record).count == 3)
  }

  @Test func aRecordWithoutATitleIsPassed() throws {
    #expect(try read(marc([("100", field("$aNobody"))])) == [.passed])
  }
}

@Suite struct MARCXMLTests {
  private func read(_ text: String) throws -> [ReadItem] { try items({ MARCXMLReader() }, Array(text.utf8)) }

  private let record = """
    <record><leader>00000nam a22</leader><controlfield tag="001">1</controlfield>
    <datafield tag="020" ind1=" " ind2=" "><subfield code="a">9783596294312</subfield></datafield>
    <datafield tag="100" ind1="1" ind2=" "><subfield code="a">Kafka, Franz</subfield></datafield>
    <datafield tag="245" ind1="1" ind2="0"><subfield code="a">Schlo&#223; &amp; Prozess /</subfield></datafield></record>
    """

  @Test func recordsAreReadInEitherNamespace() throws {
    let open = "<?xml version=\"1.0\"?><m:collection xmlns:m=\"http://www.loc.gov/MARC21/slim\">"
    let named = record.replacing("</", with: "</m:").replacing("<", with: "<m:").replacing(
      "<m:/m:", with: "</m:")
    for text in [
      "<collection xmlns=\"http://www.loc.gov/MARC21/slim\">\(record)\(record)</collection>",
      "\(open)\(named)\(named)</m:collection>",
    ] {
      let read = try read(text)
      #expect(read.count == 2)
      let book = try #require(read.last?.record)
      #expect(book.title == "Schloß & Prozess" && book.author == "Kafka, Franz")
      #expect(book.isbns.map(\.text) == ["9783596294312"])
    }
  }

  @Test func whatFollowsDamageIsNotRead() throws {
    let read = try read("<collection>\(record)<record></collection>")
    #expect(read.compactMap(\.record).count == 1)
    #expect(read.compactMap(\.damage) == ["line 4: mismatched tag; what follows is not read"])
  }

  @Test func aDocumentTypeIsRefused() throws {
    let text = "<!DOCTYPE c [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><collection>\(record)</collection>"
    #expect(
      try read(text).compactMap(\.damage) == ["line 1: a document type is not read; what follows is not read"]
    )
  }

  @Test func aLongSubfieldIsBounded() throws {
    let long = record.replacing("Kafka, Franz", with: String(repeating: "a", count: 20_000))
    #expect(
      try read("<c>\(long)\(record)</c>").compactMap(\.damage) == ["record 1: a subfield is over 16 KB"])
  }

  /// With deferred parsing, Expat 2.6 and later would parse the comment again only after 200 KB of input.
  @Test func aCommentWithinTheLimitIsReadInPieces() throws {
    let text =
      "<c><!--\(String(repeating: "x", count: 100_000))-->\(String(repeating: " ", count: 100_000))\(record)</c>"
    #expect(try items({ MARCXMLReader() }, Array(text.utf8), by: 50_000).compactMap(\.damage) == [])
  }

  /// Endless comments, tags, instructions, nesting and names are refused. Endless text is skipped.
  @Test func hostileXMLIsRefusedByName() throws {
    func damage(_ text: String) throws -> String? {
      try items({ MARCXMLReader() }, Array(text.utf8), by: 65_536).last?.damage
    }
    let long = String(repeating: "x", count: 3_000_000)
    let rest = "what follows is not read"
    #expect(try damage("<c><!--\(long)--></c>") == "line 1: a comment is longer than 128 KB; \(rest)")
    #expect(try damage("<c><a b=\"\(long)\"/></c>") == "line 1: a tag is longer than 128 KB; \(rest)")
    #expect(try damage("<c><?a \(long)?></c>") == "line 1: an instruction is longer than 128 KB; \(rest)")
    #expect(try damage("<\(long)/>") == "line 1: a tag is longer than 128 KB; \(rest)")
    #expect(
      try damage(String(repeating: "<a>", count: 1_000_000))
        == "line 1: more than 100 elements are nested in each other; \(rest)")
    let many = (0..<5000).map { "<a\($0)/>" }.joined()
    #expect(try damage("<c>\(many)</c>") == "line 1: it has more than 1000 different names; \(rest)")
    let named = (0..<5000).map { "<a xmlns:b\($0)=\"x\" c\($0)=\"\"/>" }.joined()
    #expect(try damage("<c>\(named)</c>") == "line 1: it has more than 1000 different names; \(rest)")
    let text = "<c>\(long)<![CDATA[\(long)]]>\(record)</c>"
    #expect(try items({ MARCXMLReader() }, Array(text.utf8), by: 65_536).compactMap(\.record).count == 1)
  }

  @Test(
    arguments: [
      ("ISO-8859-1", [0xE9], "é"), ("windows-1252", [0xE9, 0x93, 0x80], "é\u{201C}€"),
      ("iso-8859-2", [0xB1], "ą"),
      ("windows-1251", [0xC6], "Ж"), ("KOI8-R", [0xF6], "Ж"), ("ISO-8859-15", [0xA4], "€"),
      ("us-ascii", [0x61], "a"),
      ("UTF-8", [0xC3, 0xA9], "é"), ("utf-16", [0xC3, 0xA9], "é"),
    ] as [(String, [UInt8], String)]) func theDeclaredEncodingIsRead(
      name: String, bytes: [UInt8], text: String
    ) throws
  {
    let parts = record.components(separatedBy: "Prozess")
    let whole =
      Array("<?xml version='1.0' encoding='\(name)' ?>\n<collection>\(parts[0])Prozess ".utf8) + bytes
      + Array("\(parts[1])</collection>".utf8)
    #expect(try items({ MARCXMLReader() }, whole).first?.record?.title == "Schloß & Prozess \(text)")
  }

  @Test(arguments: [true, false], [true, false]) func utf16IsRead(bigEndian: Bool, mark: Bool) throws {
    let text = "\(mark ? "\u{FEFF}" : "")<?xml version=\"1.0\" encoding=\"utf-16\"?><c>\(record)</c>"
    let bytes = text.utf16.flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return bigEndian ? bytes : bytes.reversed()
    }
    #expect(try items({ MARCXMLReader() }, bytes).first?.record?.title == "Schloß & Prozess")
    #expect(CatalogueFormat.marc.reader(first: bytes[...]) is MARCXMLReader)
  }

  @Test(arguments: ["GBK", "Shift_JIS", "nonsense"]) func anEncodingThatIsNotReadIsSaid(name: String) throws {
    let text = "<?xml version=\"1.0\" encoding=\"\(name)\"?><c>\(record)</c>"
    #expect(
      try read(text).compactMap(\.damage) == [
        "line 1: its encoding \(name) is not read; what follows is not read"
      ])
  }
}

/// The fields of a MARC 21 record that describe a book, independent of the record's encoding.
///
/// Title: 245 $a, with the subtitle in $b, the number of the part in $n and its name in $p. Persons: 100 and 700 $a, except a 700 with a title ($t),
/// which names another work. ISBN: 020 $a. Edition: 250 $a. Publisher: 260 or 264 $b (MARC 21 Format for Bibliographic Data). The shelf mark of each
/// copy is in 852 $h and $i (MARC 21 Format for Holdings Data) or in Koha's 952 $o; if there is neither, in 090 $a and $b, 050 $a and $b, or 082 $a.
struct MARCFields {
  struct Subfield: Equatable {
    var code: Character
    var text: String
  }

  /// The maximum number of fields of a record that are kept.
  static let limit = 100
  private static let wanted = marks.union(["020", "100", "245", "250", "260", "264", "700"])
  private static let marks: Set<String> = ["050", "082", "090", "852", "952"]

  private(set) var fields: [(tag: String, subfields: [Subfield])] = []
  /// Whether the library has deleted the record.
  private(set) var isDeleted = false

  static func wants(_ tag: String) -> Bool { wanted.contains(tag) }

  /// Whether a field with this tag is left out if it cannot be read. Other unreadable fields make the record damaged.
  static func isSpare(_ tag: String) -> Bool { marks.contains(tag) }

  mutating func add(_ tag: String, _ subfields: [Subfield]) {
    if fields.count < Self.limit { fields.append((tag, subfields)) }
  }

  /// Reads the record's status, the sixth character of its leader.
  mutating func note(leader: some Sequence<UInt8>) {
    isDeleted = leader.dropFirst(5).first { _ in true } == UInt8(ascii: "d")
  }

  /// The book, or `passed` if there is no title, or if the record is deleted.
  var item: ReadItem {
    func texts(_ tags: Set<String>, _ code: Character) -> [String] {
      fields.filter { tags.contains($0.tag) }.flatMap(\.subfields).filter { $0.code == code }.map(\.text)
    }
    func one(_ tags: Set<String>, _ code: Character) -> String {
      texts(tags, code).first.map(Self.bare) ?? ""
    }
    let part = one(["245"], "p")
    let title = one(["245"], "a")
    let persons = fields.filter { field in
      field.tag == "100" || (field.tag == "700" && !field.subfields.contains { $0.code == "t" })
    }
    let record = CatalogueRecord(
      title: part.isEmpty ? title : CatalogueRecord.clean("\(title). \(part)"), subtitle: one(["245"], "b"),
      author: CatalogueRecord.joined(
        persons.compactMap { $0.subfields.first { $0.code == "a" } }.map { Self.bare($0.text) }),
      volume: one(["245"], "n"), edition: one(["250"], "a"), publisher: one(["260", "264"], "b"),
      isbns: CatalogueRecord.isbns(texts(["020"], "a")), marks: shelfMarks)
    return title.isEmpty || isDeleted ? .passed : .book(record)
  }

  private var shelfMarks: [String] {
    func marks(_ tag: String, _ codes: String) -> [String] {
      fields.filter { $0.tag == tag }.map { field in
        let parts = field.subfields.filter { codes.contains($0.code) }.map(\.text)
        return CatalogueRecord.clean(parts.joined(separator: " "))
      }.filter { !$0.isEmpty }
    }
    let copies = marks("852", "hi") + marks("952", "o")
    if !copies.isEmpty { return Array(copies.prefix(CatalogueRecord.listLimit)) }
    return [marks("090", "ab"), marks("050", "ab"), marks("082", "a")].lazy.compactMap(\.first).first.map {
      [$0]
    } ?? []
  }

  /// The text without the ISBD punctuation before the next part.
  private static func bare(_ text: String) -> String {
    var text = Substring(CatalogueRecord.clean(text))
    while let last = text.last, " /:;,=".contains(last) { text.removeLast() }
    if text.last == ".", text.dropLast().last?.isUppercase != true { text.removeLast() }
    return String(text)
  }
}

/// The fields of a MARC 21 record that make a book, however the record was written.
///
/// 245 $a title, $b subtitle, $n number of the part, $p its name; 100 and 700 $a persons, but for 700 with a title ($t), which is another
/// work's; 020 $a ISBN; 250 $a edition; 260 or 264 $b publisher (MARC 21 Format for Bibliographic Data).
struct MARCFields {
  struct Subfield: Equatable {
    var code: Character
    var text: String
  }

  /// Most fields that are kept of a record.
  static let limit = 100
  private static let wanted: Set<String> = ["020", "100", "245", "250", "260", "264", "700"]

  private(set) var fields: [(tag: String, subfields: [Subfield])] = []

  static func wants(_ tag: String) -> Bool { wanted.contains(tag) }

  mutating func add(_ tag: String, _ subfields: [Subfield]) {
    if fields.count < Self.limit { fields.append((tag, subfields)) }
  }

  /// A book, or `passed` without a title.
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
      isbns: CatalogueRecord.isbns(texts(["020"], "a")))
    return title.isEmpty ? .passed : .book(record)
  }

  /// Without the punctuation that ISBD puts before the next part.
  private static func bare(_ text: String) -> String {
    var text = Substring(CatalogueRecord.clean(text))
    while let last = text.last, " /:;,=".contains(last) { text.removeLast() }
    if text.last == ".", text.dropLast().last?.isUppercase != true { text.removeLast() }
    return String(text)
  }
}

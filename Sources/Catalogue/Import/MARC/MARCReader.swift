/// Records of MARC 21 as ISO 2709 writes them: a leader of 24 characters, a directory of twelve for each field, the fields.
///
/// A record whose length is no number is looked for the end of (0x1D). What a record says of its own lengths is never believed beyond
/// its end.
struct MARCReader: RecordReader {
  /// The longest that five digits can say.
  static let recordLimit = 99_999
  private static let (recordEnd, fieldEnd, subfieldMark): (UInt8, UInt8, UInt8) = (0x1D, 0x1E, 0x1F)

  private var bytes: [UInt8] = []
  private var number = 1
  /// Whether the rest of a record that is too long is passed over.
  private var isSkipping = false

  mutating func parse(_ piece: ArraySlice<UInt8>) -> [ReadItem] {
    var (items, rest): ([ReadItem], ArraySlice<UInt8>) = ([], piece)
    while let end = rest.firstIndex(of: Self.recordEnd) {
      keep(rest[..<end], &items)
      rest = rest[(end + 1)...]
      if !isSkipping { items.append(item()) }
      isSkipping = false
      bytes.removeAll(keepingCapacity: true)
      number += 1
    }
    keep(rest, &items)
    return items
  }

  mutating func end() -> [ReadItem] {
    let isBlank = bytes.allSatisfy { " \t\r\n\0\u{1A}".utf8.contains($0) }
    return isBlank || isSkipping ? [] : [damage("the file ends within it")]
  }

  private mutating func keep(_ piece: ArraySlice<UInt8>, _ items: inout [ReadItem]) {
    guard !isSkipping else { return }
    guard bytes.count + piece.count < Self.recordLimit else {
      isSkipping = true
      return items.append(damage("it is longer than 99,999 bytes"))
    }
    bytes += piece
  }

  private func damage(_ reason: String) -> ReadItem {
    .damaged(RecordDamage(place: "record \(number)", reason: reason))
  }

  /// The record that `bytes` are, without its end.
  private func item() -> ReadItem {
    // Some programs write a line end between records.
    let record = bytes.drop { $0 == 0x0A || $0 == 0x0D }
    guard record.count >= 25, let base = Self.digits(record, 12, 5), base > 24, base <= record.count else {
      return damage("its leader is not that of MARC 21")
    }
    let isUTF8 = record[record.startIndex + 9] == UInt8(ascii: "a")
    var fields = MARCFields()
    for offset in stride(from: 24, to: base - 1, by: 12) {
      guard offset + 12 < base, let length = Self.digits(record, offset + 3, 4),
        let start = Self.digits(record, offset + 7, 5), base + start + length <= record.count
      else { return damage("its directory leads out of it") }
      let tag = String(
        decoding: record[record.startIndex + offset..<record.startIndex + offset + 3], as: UTF8.self)
      guard MARCFields.wants(tag) else { continue }
      let first = record.startIndex + base + start
      guard let subfields = Self.subfields(record[first..<first + length], isUTF8: isUTF8) else {
        return damage(
          isUTF8 ? "field \(tag) is not UTF-8 text" : "field \(tag) is in a script of MARC-8 that is not read"
        )
      }
      fields.add(tag, subfields)
    }
    return fields.item
  }

  /// Nil where the text cannot be read. What stands before the first mark are indicators.
  private static func subfields(_ field: ArraySlice<UInt8>, isUTF8: Bool) -> [MARCFields.Subfield]? {
    var subfields: [MARCFields.Subfield] = []
    for part in field.prefix(while: { $0 != fieldEnd }).split(separator: subfieldMark).dropFirst() {
      guard let code = part.first,
        let text = isUTF8 ? String(validating: part.dropFirst(), as: UTF8.self) : MARC8.text(part.dropFirst())
      else { return nil }
      subfields.append(.init(code: Character(Unicode.Scalar(code)), text: text))
    }
    return subfields
  }

  private static func digits(_ record: ArraySlice<UInt8>, _ offset: Int, _ count: Int) -> Int? {
    var number = 0
    guard offset + count <= record.count else { return nil }
    for byte in record[record.startIndex + offset..<record.startIndex + offset + count] {
      guard (0x30...0x39).contains(byte) else { return nil }
      number = number * 10 + Int(byte) - 0x30
    }
    return number
  }
}

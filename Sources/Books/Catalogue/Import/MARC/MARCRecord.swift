/// A MARC 21 record in ISO 2709: a leader of 24 characters, a directory of twelve characters per field, then the fields.
struct MARCRecord {
  static let (recordEnd, fieldEnd, subfieldMark): (UInt8, UInt8, UInt8) = (0x1D, 0x1E, 0x1F)

  private struct Entry {
    var tag: String
    var length: Int
    var start: Int
  }

  /// The flaw of a record that cannot be read, as a clause.
  struct Damage: Error, Equatable { var reason: String }

  private(set) var fields = MARCFields()
  /// The length of the record in bytes, without its end mark.
  private(set) var count = 0

  /// - Parameter bytes: begin with the leader. Bytes after the record's last field are ignored.
  init(_ bytes: ArraySlice<UInt8>) throws(Damage) {
    guard bytes.count >= 25, let base = Self.digits(bytes, 12, 5), base > 24, base <= bytes.count,
      bytes[bytes.startIndex + base - 1] == Self.fieldEnd, (base - 25).isMultiple(of: 12)
    else { throw Damage(reason: "its leader is not that of MARC 21") }
    fields.note(leader: bytes.prefix(24))
    let entries = try Self.directory(bytes, base)
    let data = bytes[(bytes.startIndex + base)...]
    let parts = try Self.parts(data, entries)
    count = base + (parts.map { $0.endIndex - data.startIndex + 1 }.max() ?? 0)
    // Take data that are valid UTF-8 as UTF-8. MARC-8 puts combining marks before their letter, which would be invalid UTF-8; only MARC-8 has escape
    // sequences.
    let isUTF8 =
      bytes[bytes.startIndex + 9] == UInt8(ascii: "a")
      || (!data.contains(0x1B) && String(validating: data, as: UTF8.self) != nil)
    for (entry, part) in zip(entries, parts) where MARCFields.wants(entry.tag) {
      guard let subfields = Self.subfields(part, isUTF8: isUTF8) else {
        if MARCFields.isSpare(entry.tag) { continue }
        let reason = isUTF8 ? "is not UTF-8 text" : "is in a script of MARC-8 that is not read"
        throw Damage(reason: "field \(entry.tag) \(reason)")
      }
      fields.add(entry.tag, subfields)
    }
  }

  private static func directory(_ bytes: ArraySlice<UInt8>, _ base: Int) throws(Damage) -> [Entry] {
    var entries: [Entry] = []
    for offset in stride(from: 24, to: base - 1, by: 12) {
      guard let length = digits(bytes, offset + 3, 4), let start = digits(bytes, offset + 7, 5), length > 0
      else {
        throw Damage(reason: "its directory has something other than numbers")
      }
      let first = bytes.startIndex + offset
      entries.append(
        Entry(tag: String(decoding: bytes[first..<first + 3], as: UTF8.self), length: length, start: start))
    }
    return entries
  }

  /// The fields without their end marks, in the order of the directory. Some programs state the lengths in characters instead of bytes.
  private static func parts(
    _ data: ArraySlice<UInt8>, _ entries: [Entry]
  ) throws(Damage) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    for entry in entries {
      guard let part = part(data, entry) else {
        if let parts = counted(data, entries) { return parts }
        let isOutside = entry.start + entry.length > data.count
        throw Damage(
          reason: isOutside
            ? "its directory points past the end of the record"
            : "field \(entry.tag) is not where its directory says")
      }
      parts.append(part)
    }
    return parts
  }

  private static func part(_ data: ArraySlice<UInt8>, _ entry: Entry) -> ArraySlice<UInt8>? {
    guard entry.start + entry.length <= data.count else { return nil }
    let first = data.startIndex + entry.start
    let part = data[first..<first + entry.length - 1]
    let follows = entry.start == 0 || data[first - 1] == fieldEnd
    return follows && data[part.endIndex] == fieldEnd && !part.contains(fieldEnd) ? part : nil
  }

  /// The fields, read as if the directory counted characters. Nil unless each field has the stated number of characters.
  private static func counted(_ data: ArraySlice<UInt8>, _ entries: [Entry]) -> [ArraySlice<UInt8>]? {
    let order = entries.indices.sorted { entries[$0].start < entries[$1].start }
    var parts = [ArraySlice<UInt8>](repeating: [], count: entries.count)
    var (rest, start) = (data, 0)
    for index in order {
      guard entries[index].start == start, let end = rest.firstIndex(of: fieldEnd),
        let text = String(validating: rest[..<end], as: UTF8.self),
        [text.unicodeScalars.count, text.utf16.count].contains(entries[index].length - 1)
      else { return nil }
      parts[index] = rest[..<end]
      rest = rest[(end + 1)...]
      start += entries[index].length
    }
    return parts
  }

  /// The subfields. Nil if the text cannot be decoded. The indicators before the first mark are skipped.
  private static func subfields(_ field: ArraySlice<UInt8>, isUTF8: Bool) -> [MARCFields.Subfield]? {
    var subfields: [MARCFields.Subfield] = []
    for part in field.split(separator: subfieldMark, omittingEmptySubsequences: false).dropFirst() {
      guard let code = part.first else { continue }
      let text =
        isUTF8 ? String(validating: part.dropFirst(), as: UTF8.self) : MARC8.text(part.dropFirst())
      guard let text else { return nil }
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

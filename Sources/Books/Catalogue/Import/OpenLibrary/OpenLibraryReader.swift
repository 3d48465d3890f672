import JSON

/// Reads the lines of an Open Library dump (openlibrary.org/developers/dumps): type, key, revision, time and the record in JSON, separated by
/// tabs. Editions and works are books; authors supply their names.
struct OpenLibraryReader: RecordReader {
  /// The maximum number of bytes in a line.
  static let lineLimit = 1 << 20

  private var bytes: [UInt8] = []
  private var line = 1
  private var isSkipping = false

  mutating func parse(_ piece: ArraySlice<UInt8>) -> [ReadItem] {
    var (items, rest): ([ReadItem], ArraySlice<UInt8>) = ([], piece)
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      keep(rest[..<end], &items)
      rest = rest[(end + 1)...]
      if !isSkipping, !bytes.isEmpty { items.append(item()) }
      isSkipping = false
      bytes.removeAll(keepingCapacity: true)
      line += 1
    }
    keep(rest, &items)
    return items
  }

  mutating func end() -> [ReadItem] { bytes.isEmpty || isSkipping ? [] : [item()] }

  private mutating func keep(_ piece: ArraySlice<UInt8>, _ items: inout [ReadItem]) {
    guard !isSkipping else { return }
    guard bytes.count + piece.count <= Self.lineLimit else {
      isSkipping = true
      return items.append(damage("it is longer than 1 MB"))
    }
    bytes += piece
  }

  private func damage(_ reason: String) -> ReadItem {
    .damaged(RecordDamage(place: "line \(line)", reason: reason))
  }

  private func item() -> ReadItem {
    let parts = bytes.split(separator: UInt8(ascii: "\t"), maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 5 else { return damage("it has \(parts.count) columns where a dump has 5") }
    let type = String(decoding: parts[0], as: UTF8.self)
    guard let kind = OpenLibraryEntry.Kind(rawValue: type) else { return .passed }
    let value: JSONValue
    do { value = try JSONParser.parse(Array(parts[4])) } catch { return damage(error.reason) }
    guard case .object(let members) = value else { return damage("its record is not a JSON object") }
    let entry = OpenLibraryEntry(members: members)
    return entry.item(kind, key: String(decoding: parts[1].prefix(64), as: UTF8.self))
  }
}

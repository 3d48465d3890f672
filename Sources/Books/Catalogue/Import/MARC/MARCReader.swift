/// Reads MARC 21 records in ISO 2709.
///
/// A record extends to its end mark (0x1D); the length that the record states is ignored. If an end mark is missing, the record ends after its
/// fields, and the next record begins directly behind them.
struct MARCReader: RecordReader {
  /// The maximum length of a record, the largest number with five digits.
  static let recordLimit = 99_999

  private var bytes: [UInt8] = []
  private var number = 1
  /// Whether the rest of a record that is too long is being skipped.
  private var isSkipping = false

  mutating func parse(_ piece: ArraySlice<UInt8>) -> [ReadItem] {
    var (items, rest): ([ReadItem], ArraySlice<UInt8>) = ([], piece)
    while let end = rest.firstIndex(of: MARCRecord.recordEnd) {
      keep(rest[..<end], &items)
      rest = rest[(end + 1)...]
      if isSkipping { number += 1 } else { items += records() }
      isSkipping = false
      bytes.removeAll(keepingCapacity: true)
    }
    keep(rest, &items)
    return items
  }

  mutating func end() -> [ReadItem] {
    guard !isSkipping, !Self.isBlank(bytes[...]) else { return [] }
    // The end mark of the file's last record may be missing.
    let items = records()
    if items.count == 1, items[0].isDamaged {
      return [damage("the file ends in the middle of this record", at: number - 1)]
    }
    return items
  }

  private mutating func keep(_ piece: ArraySlice<UInt8>, _ items: inout [ReadItem]) {
    guard !isSkipping else { return }
    guard bytes.count + piece.count < Self.recordLimit else {
      isSkipping = true
      return items.append(damage("it is longer than 99,999 bytes", at: number))
    }
    bytes += piece
  }

  private func damage(_ reason: String, at number: Int) -> ReadItem {
    .damaged(RecordDamage(place: "record \(number)", reason: reason))
  }

  private static func isBlank(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.allSatisfy { " \t\r\n\0\u{1A}".utf8.contains($0) }
  }

  /// The records in `bytes`: one record without its end mark, or several records whose end marks are missing.
  private mutating func records() -> [ReadItem] {
    var (items, rest): ([ReadItem], ArraySlice<UInt8>) = ([], bytes[...])
    repeat {
      // Some programs write a line end between records, or a byte order mark before the first.
      rest = rest.drop { [0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
      do throws(MARCRecord.Damage) {
        let record = try MARCRecord(rest)
        items.append(record.fields.item)
        rest = rest.dropFirst(record.count)
      } catch {
        items.append(damage(error.reason, at: number))
        rest = []
      }
      number += 1
    } while !Self.isBlank(rest)
    return items
  }
}

extension ReadItem {
  fileprivate var isDamaged: Bool {
    if case .damaged = self { true } else { false }
  }
}

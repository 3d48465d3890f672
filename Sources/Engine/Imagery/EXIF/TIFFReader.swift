/// Reads entries of image file directories (TIFF 6.0, section 2), within bounds.
struct TIFFReader {
  struct Damage: Error { var reason: String }

  /// The offset of an entry of twelve bytes.
  struct Entry { fileprivate var at: Int }

  private let bytes: UnsafeRawBufferPointer
  private let isLittle: Bool
  /// The offset of the first directory.
  let first: Int

  init(_ block: UnsafeRawBufferPointer) throws(Damage) {
    // Some PNG writers put JPEG's prefix `Exif\0\0` before the TIFF structure.
    let bytes = block.hasText("Exif\0", at: 0) ? UnsafeRawBufferPointer(rebasing: block.dropFirst(6)) : block
    self.bytes = bytes
    guard bytes.count >= 8 else { throw Damage(reason: "it is shorter than its header") }
    isLittle = bytes.hasText("II", at: 0)
    guard isLittle || bytes.hasText("MM", at: 0) else { throw Damage(reason: "its byte order is not given") }
    first = isLittle ? bytes.little32(4) : bytes.big32(4)
    guard word(2) == 42 else { throw Damage(reason: "its TIFF number is not 42") }
  }

  /// Reads a 16-bit word; the caller has checked the bounds.
  private func word(_ at: Int) -> Int {
    isLittle ? Int(bytes[at]) | Int(bytes[at + 1]) << 8 : bytes.big16(at)
  }
  private func long(_ at: Int) -> Int { isLittle ? bytes.little32(at) : bytes.big32(at) }

  func entry(_ tag: Int, of directory: Int) throws(Damage) -> Entry? {
    guard directory >= 8, directory + 2 <= bytes.count else {
      throw Damage(reason: "its directory lies outside its data")
    }
    for index in 0..<word(directory) {
      let entry = directory + 2 + index * 12
      guard entry + 12 <= bytes.count else { throw Damage(reason: "its directory is cut short") }
      if word(entry) == tag { return Entry(at: entry) }
    }
    return nil
  }

  /// The offset of another directory, from the entry that refers to it.
  func directory(_ tag: Int, of directory: Int) -> Int? {
    guard let entry = try? entry(tag, of: directory) else { return nil }
    return number(entry)
  }

  /// The number of bytes of a value, by its TIFF type, for whole numbers: BYTE, SHORT, LONG, SBYTE, SSHORT, SLONG.
  private static let widths = [1: 1, 3: 2, 4: 4, 6: 1, 8: 2, 9: 4]

  /// The first value of an entry; nil if it is no whole number, or there is none. Negative values are read as very large ones.
  func number(_ entry: Entry) -> Int? {
    let (count, type) = (long(entry.at + 4), word(entry.at + 2))
    guard count >= 1, let width = Self.widths[type] else { return nil }
    let at = count * width <= 4 ? entry.at + 8 : long(entry.at + 8)
    guard at + width <= bytes.count else { return nil }
    return width == 1 ? Int(bytes[at]) : width == 2 ? word(at) : long(at)
  }

  /// The first value of a RATIONAL or SRATIONAL entry; nil if it is neither, lies outside, or divides by zero.
  func ratio(_ entry: Entry) -> Double? {
    let (count, type, at) = (long(entry.at + 4), word(entry.at + 2), long(entry.at + 8))
    guard count >= 1, type == 5 || type == 10, at + 8 <= bytes.count else { return nil }
    func part(_ at: Int) -> Double {
      type == 5 ? Double(long(at)) : Double(Int32(truncatingIfNeeded: long(at)))
    }
    return part(at + 4) == 0 ? nil : part(at) / part(at + 4)
  }

  /// The printable ASCII of an entry's text, to its first zero, at most 63 characters; nil if it is no text, lies outside, or has none.
  func text(_ entry: Entry) -> String? {
    let count = long(entry.at + 4)
    let at = count <= 4 ? entry.at + 8 : long(entry.at + 8)
    guard word(entry.at + 2) == 2, count >= 1, at + count <= bytes.count else { return nil }
    let printable = bytes[at..<at + count].prefix { $0 != 0 }.lazy.filter { (0x20...0x7E).contains($0) }
    let text = String(decoding: Array(printable.prefix(63)), as: UTF8.self)
    return text.utf8.allSatisfy { $0 == 0x20 } ? nil : text
  }

  /// Whether the entry is text of up to four bytes that begins with `text`.
  func isText(_ entry: Entry, _ text: StaticString) -> Bool {
    word(entry.at + 2) == 2 && long(entry.at + 4) <= 4 && bytes.hasText(text, at: entry.at + 8)
  }
}

extension UnsafeRawBufferPointer {
  /// Four bytes, least significant first; the caller has checked the bounds.
  fileprivate func little32(_ index: Int) -> Int {
    Int(self[index]) | Int(self[index + 1]) << 8 | Int(self[index + 2]) << 16 | Int(self[index + 3]) << 24
  }
}

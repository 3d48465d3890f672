import Glibc

/// Reads the boxes of an MP4 or QuickTime file (ISO/IEC 14496-12, 4.2). The file is untrusted: the claimed size of a box is checked against
/// the file.
///
/// Keeps the last bytes that were read: a fragment of one frame is three small boxes, and each would take a system call.
final class BoxReader {
  /// A box by its type, with the range of its content.
  struct Box: Equatable {
    var type: String
    var content: Range<Int64>
  }

  /// The largest box to read whole, in bytes; a `moof` of one frame has about a hundred.
  static let largestBox: Int64 = 1 << 20

  private let descriptor: CInt
  let byteCount: Int64
  /// The bytes of the file from `windowStart` on.
  private var (window, windowStart): ([UInt8], Int64) = ([], 0)
  private static let windowSize: Int64 = 4096

  init(_ descriptor: CInt) {
    self.descriptor = descriptor
    var status = stat()
    byteCount =
      fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : 0
  }

  /// The box that begins at `offset`; nil if there is none, or if the file ends before it.
  func box(at offset: Int64) -> Box? {
    guard offset >= 0, offset < byteCount, let head = bytes(offset..<min(offset + 16, byteCount)),
      head.count >= 8
    else { return nil }
    let short = Int64(BigEndian.number(head[0..<4]))
    var (size, begin) = (short, offset + 8)
    if short == 1, head.count == 16 {
      size = Int64(clamping: BigEndian.number(head[8..<16]))
      begin = offset + 16
    }
    // A size of 0 means to the end of the file.
    if short == 0 { size = byteCount - offset }
    guard size >= begin - offset, size <= byteCount - offset else { return nil }
    return Box(type: String(decoding: head[4..<8], as: UTF8.self), content: begin..<offset + size)
  }

  /// The whole content of a box; nil if it is too large, or if it cannot be read.
  func content(_ box: Box) -> [UInt8]? {
    let count = box.content.upperBound - box.content.lowerBound
    return count <= Self.largestBox ? bytes(box.content) : nil
  }

  private func bytes(_ range: Range<Int64>) -> [UInt8]? {
    guard range.upperBound - range.lowerBound <= Self.windowSize else { return read(range) }
    if range.lowerBound < windowStart || range.upperBound > windowStart + Int64(window.count) {
      windowStart = range.lowerBound
      window = read(range.lowerBound..<min(range.lowerBound + Self.windowSize, byteCount)) ?? []
    }
    let start = Int(range.lowerBound - windowStart)
    let end = start + Int(range.upperBound - range.lowerBound)
    return end <= window.count ? Array(window[start..<end]) : nil
  }

  private func read(_ range: Range<Int64>) -> [UInt8]? {
    let count = Int(range.upperBound - range.lowerBound)
    let read = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, count, off_t(range.lowerBound)))
    }
    return read.count == count ? read : nil
  }
}

/// Big-endian numbers, as in formats that come from the Macintosh.
enum BigEndian {
  static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

/// The content of a box, read from its beginning. Missing values are nil.
struct BoxContent {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func number(_ byteCount: Int) -> UInt64? {
    guard rest.count >= byteCount else { return nil }
    defer { rest = rest.dropFirst(byteCount) }
    return BigEndian.number(rest.prefix(byteCount))
  }

  mutating func integer() -> Int32? { number(4).map { Int32(truncatingIfNeeded: $0) } }
  mutating func skip(_ byteCount: Int) { rest = rest.dropFirst(byteCount) }

  mutating func fullBox() -> (version: UInt64, flags: UInt64)? {
    guard let version = number(1), let flags = number(3) else { return nil }
    return (version, flags)
  }

  /// The boxes inside; a box that is longer than the rest ends the list.
  func boxes() -> [(type: String, content: BoxContent)] {
    var boxes: [(type: String, content: BoxContent)] = []
    var rest = rest
    while rest.count >= 8 {
      let size = BigEndian.number(rest.prefix(4))
      guard size >= 8, size <= rest.count else { break }
      let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
      boxes.append((type, BoxContent(rest.prefix(Int(size)).dropFirst(8))))
      rest = rest.dropFirst(Int(size))
    }
    return boxes
  }

  /// For the box `esds`: the `objectTypeIndication` of the stream (ISO/IEC 14496-1, 7.2.6.6); 0x6C is JPEG.
  var elementaryStreamKind: UInt64? {
    var content = self
    guard content.fullBox() != nil, content.descriptor() == 3, content.number(2) != nil,
      let flags = content.number(1)
    else { return nil }
    if flags & 0x80 != 0 { content.skip(2) }
    if flags & 0x40 != 0, let length = content.number(1) { content.skip(Int(length)) }
    if flags & 0x20 != 0 { content.skip(2) }
    return content.descriptor() == 4 ? content.number(1) : nil
  }

  /// Reads the tag of a descriptor, and skips its length of one to four bytes.
  private mutating func descriptor() -> UInt64? {
    guard let tag = number(1) else { return nil }
    for _ in 0..<4 {
      guard let byte = number(1) else { return nil }
      if byte & 0x80 == 0 { return tag }
    }
    return nil
  }

  /// The first box of the first type, then inside it the first box of the next type, and so on.
  func first(_ path: String...) -> BoxContent? {
    path.reduce(Optional(self)) { content, type in
      content?.boxes().first { $0.type == type }?.content
    }
  }
}

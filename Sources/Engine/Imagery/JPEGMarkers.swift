/// Reads one marker segment after another.
struct MarkerReader {
  let bytes: UnsafeRawBufferPointer
  var position: Int
  /// The latest start marker that was passed; the caller clears it.
  var start: Int?

  init(bytes: UnsafeRawBufferPointer, position: Int) { (self.bytes, self.position) = (bytes, position) }

  /// The next segment's marker and the bytes after its length field; nil at the end of the picture or file.
  /// - Parameter endsAtEnd: false if an end marker is to be skipped, since there was no picture before it.
  mutating func next(endsAtEnd: Bool = true) throws(ImageError) -> (UInt8, Range<Int>)? {
    while true {
      while position < bytes.count, bytes[position] != 0xFF { position += 1 }
      while position < bytes.count, bytes[position] == 0xFF { position += 1 }
      guard position < bytes.count else { return nil }
      let marker = bytes[position]
      position += 1
      if marker == 0xD9, endsAtEnd { return nil }
      if marker == 0xD8 { start = position - 2 }
      if marker == 0 || marker == 1 || (0xD0...0xD9).contains(marker) { continue }
      guard position + 2 <= bytes.count else { return nil }
      let length = bytes.big16(position)
      guard length >= 2 else { throw .corrupt(format: "JPEG", reason: "a marker has no length") }
      guard position + length <= bytes.count else {
        throw .truncated(format: "JPEG", have: bytes.count, needed: position + length)
      }
      defer { position += length }
      return (marker, position + 2..<position + length)
    }
  }
}

/// The effort of decoding a JPEG picture, known in advance.
struct JPEGEffort {
  private let header: JPEGHeader
  private let bytes: UnsafeRawBufferPointer
  /// The number of components in the first scan.
  private let components: Int

  init(_ header: JPEGHeader, _ bytes: UnsafeRawBufferPointer, components: Int) {
    self.header = header
    self.bytes = bytes
    self.components = components
  }

  /// Refuses small files that would cost minutes or gigabytes: a huge picture with almost no data, very many scans of a large one, and coefficients
  /// that must all be in memory at once.
  func check() throws(ImageError) {
    let (size, area) = (header.size, header.size.area)
    guard area <= 16_777_216 || bytes.count >= area / 2048 else {
      throw .tooLarge(
        what: "a JPEG file of \(bytes.count) bytes that claims \(size) pixels",
        limit: "2048 pixels for each byte of the file")
    }
    // All other pictures are decoded row by row.
    guard header.isProgressive || components < header.factors.count else { return }
    let scans = scans
    guard scans <= 100, scans * area <= 4_000_000_000 else {
      throw .tooLarge(
        what: "a progressive JPEG picture of \(scans) scans and \(size) pixels",
        limit: "100 scans and 4 thousand million pixels over all scans")
    }
    let memory = Int(header.factors.samplesOfPixel * Double(area) * 2)
    guard memory <= ImageLimits.coefficientBytes else {
      throw .tooLarge(
        what:
          "a JPEG picture of \(size) pixels in several scans, which takes \(memory / 1_000_000) MB to decode",
        limit: "\(ImageLimits.coefficientBytes / 1_000_000) MB")
    }
  }

  /// The number of scans up to the end of the picture; others may follow it.
  private var scans: Int {
    var (count, reader) = (1, MarkerReader(bytes: bytes, position: header.scanStart))
    while let (marker, _) = try? reader.next(), reader.start == nil {
      if marker == 0xDA { count += 1 }
    }
    return count
  }
}

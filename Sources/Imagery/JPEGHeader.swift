/// What the markers of a JPEG file (ITU-T T.81 Annex B) say before its first scan, read with bounds and limits so that the
/// decoder never meets an absurd claim.
struct JPEGHeader {
  var size: PixelSize
  /// Of each component.
  var factors: SamplingFactors
  var isProgressive: Bool
  /// The colour transform of an Adobe APP14 marker.
  var adobeTransform: UInt8?
  /// The polarity of a Motion-JPEG `AVI1` APP0 marker: 0 whole frame, 1 odd field, 2 even field.
  var avi1Polarity: UInt8?
  /// The TIFF structure of the first EXIF APP1 marker, as a range of bytes.
  var exif: Range<Int>?
  /// MCUs from one restart marker to the next; 0 where there are none.
  var restartInterval = 0
  /// Where entropy-coded data begins.
  var scanStart = 0

  /// - Throws: `truncated`, `corrupt`, `tooLarge`, `unsupported`.
  init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
    guard Self.isJPEG(bytes) else {
      throw .corrupt(format: "JPEG", reason: "it does not begin with a start marker")
    }
    var reader = MarkerReader(bytes: bytes, position: 2)
    var frame: (size: PixelSize, factors: SamplingFactors, progressive: Bool)?
    size = PixelSize(width: 0, height: 0)
    factors = SamplingFactors()
    isProgressive = false
    while let (marker, body) = try reader.next() {
      switch marker {
      case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
        guard frame == nil else { throw .corrupt(format: "JPEG", reason: "it has two frame headers") }
        frame = try Self.frame(marker, bytes, body)
      case 0xDD where body.count >= 2: restartInterval = bytes.big16(body.lowerBound)
      case 0xE0...0xEF: readApplication(marker, bytes, body)
      case 0xDA:
        guard let frame else {
          throw .corrupt(format: "JPEG", reason: "a scan comes before the frame header")
        }
        (size, factors, isProgressive) = frame
        scanStart = body.upperBound
        try checkEffort(bytes)
        return
      default: break
      }
    }
    throw .truncated(format: "JPEG", have: bytes.count, needed: bytes.count + 2)
  }

  /// The data of the one scan have fewer restart markers than its size demands: they are cut short.
  func lacksRestarts(in bytes: UnsafeRawBufferPointer) -> Bool {
    guard restartInterval > 0, !isProgressive, factors.count > 1 else { return false }
    let (across, down) = (8 * factors.mostAcross, 8 * factors.mostDown)
    let units = ((size.width + across - 1) / across) * ((size.height + down - 1) / down)
    let markers = (scanStart..<max(scanStart, bytes.count - 1)).count {
      bytes[$0] == 0xFF && (0xD0...0xD7).contains(bytes[$0 + 1])
    }
    return markers < (units - 1) / restartInterval
  }

  static func isJPEG(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 2 && bytes[0] == 0xFF && bytes[1] == 0xD8
  }

  /// SOFn: precision, height, width, components.
  private static func frame(
    _ marker: UInt8, _ bytes: UnsafeRawBufferPointer, _ body: Range<Int>
  ) throws(ImageError) -> (PixelSize, SamplingFactors, Bool) {
    guard body.count >= 9 else { throw .corrupt(format: "JPEG", reason: "its frame header is too short") }
    let at = body.lowerBound
    guard bytes[at] == 8 else {
      throw .unsupported(what: "a JPEG picture of \(bytes[at]) bits a sample", remedy: "convert it to 8 bits")
    }
    let size = PixelSize(width: bytes.big16(at + 3), height: bytes.big16(at + 1))
    guard size.height > 0, size.width > 0 else {
      throw .corrupt(format: "JPEG", reason: "its header gives a size of \(size)")
    }
    try size.checkLimits()
    let count = Int(bytes[at + 5])
    guard (1...4).contains(count), body.count >= 6 + count * 3 else {
      throw .corrupt(format: "JPEG", reason: "its header lists \(count) components")
    }
    var factors = SamplingFactors()
    for index in 0..<count {
      guard factors.append(bytes[at + 7 + index * 3]) else {
        throw .corrupt(format: "JPEG", reason: "its sampling factors are outside 1 to 4")
      }
    }
    return (size, factors, marker == 0xC2 || marker == 0xC6 || marker == 0xCA || marker == 0xCE)
  }

  private mutating func readApplication(_ marker: UInt8, _ bytes: UnsafeRawBufferPointer, _ body: Range<Int>)
  {
    if marker == 0xE0, body.count >= 5, bytes.hasText("AVI1", at: body.lowerBound) {
      avi1Polarity = bytes[body.lowerBound + 4]
    } else if marker == 0xE1, body.count >= 6, bytes.hasText("Exif\0", at: body.lowerBound), exif == nil {
      exif = body.lowerBound + 6..<body.upperBound
    } else if marker == 0xEE, body.count >= 12, bytes.hasText("Adobe", at: body.lowerBound) {
      adobeTransform = bytes[body.lowerBound + 11]
    }
  }

  /// Refuses small files that cost minutes: a huge picture with next to no data, or very many scans of a large one.
  private func checkEffort(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
    guard size.area <= 16_777_216 || bytes.count >= size.area / 2048 else {
      throw .tooLarge(
        what: "a JPEG file of \(bytes.count) bytes that claims \(size) pixels",
        limit: "2048 pixels a byte")
    }
    guard isProgressive else { return }
    var scans = 1
    for index in scanStart..<max(scanStart, bytes.count - 1)
    where bytes[index] == 0xFF && bytes[index + 1] == 0xDA {
      scans += 1
    }
    guard scans <= 100, scans * size.area <= 4_000_000_000 else {
      throw .tooLarge(
        what: "a progressive JPEG picture of \(scans) scans and \(size) pixels",
        limit: "100 scans and 4 thousand million pixels over all scans")
    }
  }
}

/// How often a JPEG picture samples its components, four at most, without an array: a header is read for every frame of a camera.
struct SamplingFactors: Hashable, Sendable {
  private(set) var count = 0
  private(set) var mostAcross = 1
  private(set) var mostDown = 1

  /// - Parameter byte: across in its upper half, down in its lower.
  /// - Returns: false where one is outside 1 to 4.
  mutating func append(_ byte: UInt8) -> Bool {
    let (across, down) = (Int(byte >> 4), Int(byte & 15))
    guard (1...4).contains(across), (1...4).contains(down) else { return false }
    (count, mostAcross, mostDown) = (count + 1, max(mostAcross, across), max(mostDown, down))
    return true
  }
}

/// Steps from marker segment to marker segment.
struct MarkerReader {
  let bytes: UnsafeRawBufferPointer
  var position: Int

  /// The next segment's marker and the bytes after its length field; nil at the end of the picture or file.
  mutating func next() throws(ImageError) -> (UInt8, Range<Int>)? {
    while true {
      while position < bytes.count, bytes[position] != 0xFF { position += 1 }
      while position < bytes.count, bytes[position] == 0xFF { position += 1 }
      guard position < bytes.count else { return nil }
      let marker = bytes[position]
      position += 1
      if marker == 0xD9 { return nil }
      if marker == 0 || marker == 1 || (0xD0...0xD8).contains(marker) { continue }
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

extension UnsafeRawBufferPointer {
  /// Two bytes, most significant first; the caller has checked the bounds.
  func big16(_ index: Int) -> Int { Int(self[index]) << 8 | Int(self[index + 1]) }

  /// Four bytes, most significant first; the caller has checked the bounds.
  func big32(_ index: Int) -> Int { big16(index) << 16 | big16(index + 2) }

  func hasText(_ text: StaticString, at index: Int) -> Bool {
    guard index >= 0, index + text.utf8CodeUnitCount <= count else { return false }
    for offset in 0..<text.utf8CodeUnitCount where self[index + offset] != text.utf8Start[offset] {
      return false
    }
    return true
  }
}

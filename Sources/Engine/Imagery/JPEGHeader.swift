import Glibc

/// The contents of the markers of a JPEG file (ITU-T T.81 Annex B) before its first scan, read with bounds and limits, so that the
/// decoder never gets absurd values.
struct JPEGHeader {
  var size: PixelSize
  var factors: SamplingFactors
  var isProgressive: Bool
  /// The colour transform of an Adobe APP14 marker.
  var adobeTransform: UInt8?
  /// The polarity of a Motion-JPEG `AVI1` APP0 marker: 0 whole frame, 1 odd field, 2 even field.
  var avi1Polarity: UInt8?
  /// The TIFF structure of the first EXIF APP1 marker, as a range of bytes.
  var exif: Range<Int>?
  /// The number of MCUs between two restart markers; 0 if there are none.
  var restartInterval = 0
  /// The index at which entropy-coded data begin.
  var scanStart = 0
  /// The index of the picture's start marker; any bytes may precede it.
  var start = 0
  /// Whether the picture is Huffman-coded and lossy, as browsers and players support it.
  var isOrdinary = false
  /// Whether there is a colour profile.
  var hasProfile = false

  /// Finds the picture in bytes that may have other bytes before and behind it, and reads its header. Some
  /// cameras send a start marker twice, or other bytes before it (Logitech's,
  /// https://github.com/Motion-Project/motion/issues/65): the picture begins at the last start marker before
  /// a frame header.
  /// - Parameter announced: the size that the device promised. If the first picture has another size, as a
  ///   thumbnail does, and a later one has this size, the later one is read.
  /// - Throws: `truncated`, `corrupt`, `tooLarge`, `unsupported`.
  init(_ bytes: UnsafeRawBufferPointer, announced: PixelSize? = nil) throws(ImageError) {
    guard let first = Self.firstStart(bytes) else {
      throw .corrupt(format: "JPEG", reason: "it has no start marker")
    }
    var (found, failure): (JPEGHeader?, ImageError?)
    do throws(ImageError) { found = try JPEGHeader(bytes, from: first) } catch { failure = error }
    if let announced, found?.size != announced {
      let next = found?.scanStart ?? first + 2
      found = Self.later(bytes, from: next, announced) ?? found
    }
    guard let found else { throw failure ?? .unrecognised }
    self = found
  }

  /// The header of a JPEG frame.
  init(_ image: PixelBuffer) throws(ImageError) {
    try self.init(image.planes[0].bytes, announced: image.format.size)
  }

  /// The limits of bytes before the first start marker, and of later start markers to try.
  static let (mostBefore, mostStarts) = (65_536, 64)

  static func hasStart(_ bytes: UnsafeRawBufferPointer) -> Bool { firstStart(bytes) != nil }

  private static func firstStart(_ bytes: UnsafeRawBufferPointer) -> Int? {
    isJPEG(bytes) ? 0 : nextStart(bytes, from: 0, to: mostBefore)
  }

  /// The next start marker that is followed by another marker.
  private static func nextStart(_ bytes: UnsafeRawBufferPointer, from first: Int, to limit: Int) -> Int? {
    let last = min(bytes.count - 2, limit)
    var at = first
    while at < last, let base = bytes.baseAddress, let found = memchr(base + at, 0xFF, last - at) {
      at = UnsafeRawPointer(found) - base
      if bytes[at + 1] == 0xD8, bytes[at + 2] == 0xFF { return at }
      at += 1
    }
    return nil
  }

  private static func later(
    _ bytes: UnsafeRawBufferPointer, from first: Int, _ size: PixelSize
  ) -> JPEGHeader? {
    var next = first
    for _ in 0..<mostStarts {
      guard let start = nextStart(bytes, from: next, to: .max) else { return nil }
      if let header = try? JPEGHeader(bytes, from: start), header.size == size { return header }
      next = start + 2
    }
    return nil
  }

  private init(_ bytes: UnsafeRawBufferPointer, from first: Int) throws(ImageError) {
    start = first
    var reader = MarkerReader(bytes: bytes, position: first + 2)
    var frame: (size: PixelSize, factors: SamplingFactors, marker: UInt8)?
    size = PixelSize(width: 0, height: 0)
    factors = SamplingFactors()
    isProgressive = false
    while let (marker, body) = try reader.next(endsAtEnd: frame != nil) {
      if let again = reader.start {
        // For decoders, a second SOI starts a new picture; metadata before it remain valid.
        (start, reader.start, frame) = (again, nil, nil)
        adobeTransform = nil
        avi1Polarity = nil
        restartInterval = 0
      }
      switch marker {
      case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
        guard frame == nil else { throw .corrupt(format: "JPEG", reason: "it has two frame headers") }
        frame = try Self.frame(marker, bytes, body: body)
      case 0xDD where body.count >= 2: restartInterval = bytes.big16(body.lowerBound)
      case 0xE0...0xEF: readApplication(marker, bytes, body: body)
      case 0xDA:
        guard let frame else {
          throw .corrupt(format: "JPEG", reason: "a scan comes before the frame header")
        }
        size = frame.size
        factors = frame.factors
        isProgressive = frame.marker & 3 == 2
        isOrdinary = frame.marker <= 0xC2
        scanStart = body.upperBound
        try JPEGEffort(self, bytes, components: body.isEmpty ? 0 : Int(bytes[body.lowerBound])).check()
        return
      default: break
      }
    }
    throw .truncated(format: "JPEG", have: bytes.count, needed: bytes.count + 2)
  }

  /// The picture alone, from its start marker on, with a header whose positions refer to it.
  func alone(in bytes: UnsafeRawBufferPointer) -> (bytes: UnsafeRawBufferPointer, header: JPEGHeader) {
    guard start > 0 else { return (bytes, self) }
    var header = self
    header.scanStart -= start
    header.start = 0
    header.exif = exif.flatMap {
      $0.lowerBound < start ? nil : $0.lowerBound - start..<$0.upperBound - start
    }
    return (UnsafeRawBufferPointer(rebasing: bytes[start...]), header)
  }

  /// Whether the data of the one scan have fewer restart markers than its size requires, and are therefore cut short.
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
    _ marker: UInt8, _ bytes: UnsafeRawBufferPointer, body: Range<Int>
  ) throws(ImageError) -> (PixelSize, SamplingFactors, UInt8) {
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
    return (size, factors, marker)
  }

  private mutating func readApplication(_ marker: UInt8, _ bytes: UnsafeRawBufferPointer, body: Range<Int>) {
    if marker == 0xE0, body.count >= 5, bytes.hasText("AVI1", at: body.lowerBound) {
      avi1Polarity = bytes[body.lowerBound + 4]
    } else if marker == 0xE1, body.count >= 6, bytes.hasText("Exif\0", at: body.lowerBound), exif == nil {
      exif = body.lowerBound + 6..<body.upperBound
    } else if marker == 0xEE, body.count >= 12, bytes.hasText("Adobe", at: body.lowerBound) {
      adobeTransform = bytes[body.lowerBound + 11]
    } else if marker == 0xE2, bytes.hasText("ICC_PROFILE\0", at: body.lowerBound) {
      hasProfile = true
    }
  }
}

/// The sampling factors of a JPEG picture's components, four at most. Without an array, since a header is read for every frame of a camera.
struct SamplingFactors: Hashable, Sendable {
  private(set) var count = 0
  private(set) var mostAcross = 1
  private(set) var mostDown = 1
  private var products = 0

  /// - Parameter byte: the horizontal factor in its upper half, the vertical one in its lower.
  /// - Returns: false if a factor is outside 1 to 4.
  mutating func append(_ byte: UInt8) -> Bool {
    let (across, down) = (Int(byte >> 4), Int(byte & 15))
    guard (1...4).contains(across), (1...4).contains(down) else { return false }
    count += 1
    mostAcross = max(mostAcross, across)
    mostDown = max(mostDown, down)
    products += across * down
    return true
  }

  /// The number of samples per pixel, of all components together: 1.5 for 4:2:0.
  var samplesOfPixel: Double { Double(products) / Double(mostAcross * mostDown) }
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

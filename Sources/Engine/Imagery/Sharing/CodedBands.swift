import CTurboJPEG

/// Splits a picture into bands, which are encoded as pictures of their own, and joins these pictures to one.
struct CodedBands {
  let rows: RowBands
  /// The largest number of bytes of a band's picture.
  let room: Int
  /// The number of MCUs of a band; 0 if there is only one band.
  let interval: Int
  private let height: Int

  /// The least area for bands; smaller pictures are encoded whole.
  static let leastArea = 200_000
  /// The wanted number of bands. With four, both threads finish together; more would cost additional time.
  private static let wanted = 4

  init(_ size: PixelSize, _ sampling: ChromaSampling) {
    let unit = PixelSize(width: 8 * sampling.horizontal, height: 8 * sampling.vertical)
    let across = (size.width + unit.width - 1) / unit.width
    let down = (size.height + unit.height - 1) / unit.height
    let wanted = size.area < Self.leastArea ? 1 : Self.wanted
    // The interval has 16 bits in its marker segment.
    let units = max(1, min((down + wanted - 1) / wanted, 65_535 / across))
    rows = RowBands(size.height, rows: units * unit.height)
    room = Int(
      tjBufSize(Int32(size.width), Int32(min(size.height, units * unit.height)), sampling.turboJPEG)
    ).aligned(to: 64)
    interval = rows.count > 1 ? units * across : 0
    height = size.height
  }

  /// Joins the pictures of all bands to one: the header of the first, with the height
  /// of the whole picture and the restart interval, then the data of all.
  /// - Parameter exif: a segment, or empty.
  func joined(_ pictures: [UnsafeRawBufferPointer], _ exif: [UInt8]) throws(ImageError) -> [UInt8] {
    let shapes = try pictures.map { picture throws(ImageError) in try CodedParts(picture) }
    guard let first = pictures.first, let shape = shapes.first else { return [] }
    var bytes = [UInt8]()
    bytes.reserveCapacity(exif.count + 6 + pictures.reduce(0) { $0 + $1.count })
    bytes += part(first, 0..<shape.afterJFIF)
    bytes += exif
    let frame = bytes.count + shape.height - shape.afterJFIF
    bytes += part(first, shape.afterJFIF..<shape.scan)
    (bytes[frame], bytes[frame + 1]) = (UInt8(height >> 8 & 255), UInt8(height & 255))
    if interval > 0 { bytes += [0xFF, 0xDD, 0, 4, UInt8(interval >> 8), UInt8(interval & 255)] }
    bytes += part(first, shape.scan..<shape.data)
    for (index, picture) in pictures.enumerated() {
      bytes += part(picture, shapes[index].data..<picture.count - 2)
      bytes += [0xFF, index == pictures.count - 1 ? 0xD9 : 0xD0 + UInt8(index % 8)]
    }
    return bytes
  }

  private func part(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[range])
  }
}

/// The offsets of the parts of a picture that the codec has written.
private struct CodedParts {
  /// The offset behind the start marker, and behind the JFIF segment if there is one.
  let afterJFIF: Int
  /// The offset of the two bytes of the picture's height.
  let height: Int
  /// The offset of the marker of the picture's one scan.
  let scan: Int
  /// The offset of the picture's entropy-coded data, which an end marker follows.
  let data: Int

  init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
    var reader = MarkerReader(bytes: bytes, position: 2)
    var (afterJFIF, height) = (2, 0)
    while let (marker, body) = try reader.next() {
      switch marker {
      case 0xE0: afterJFIF = body.upperBound
      case 0xC0, 0xC1: height = body.lowerBound + 1
      case 0xDA where height > 0 && bytes.count >= body.upperBound + 2:
        self.afterJFIF = afterJFIF
        self.height = height
        scan = body.lowerBound - 4
        data = body.upperBound
        return
      default: break
      }
    }
    throw .encodingFailed(format: "JPEG", reason: "the codec wrote no scan")
  }
}

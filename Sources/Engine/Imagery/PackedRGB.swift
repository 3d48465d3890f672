import CYUV

extension PixelBuffer {
  /// Writes a part of an RGB or Bayer picture as opaque BGRA or RGBA, in the picture's own range.
  func writePacked(_ region: AspectFill.Region, into target: PackedPixels) {
    let (plane, size) = (planes[0], region.size)
    let (width, height) = (Int32(size.width), Int32(size.height))
    switch format.pixelFormat {
    case .bgra, .rgba:
      let part = plane.from(row: region.y, byte: region.x * 4)
      copyPacked(part, swapping: (format.pixelFormat == .rgba) != target.isRGBA, size, into: target)
    case .rgb24, .bgr24:
      // libyuv names words, not bytes: its RGB24 is blue, green, red in memory, and its RAW is red, green, blue.
      let part = plane.from(row: region.y, byte: region.x * 3)
      let convert = (format.pixelFormat == .rgb24) == target.isRGBA ? RGB24ToARGB : RAWToARGB
      _ = convert(part.pointer, part.stride, target.base, target.stride, width, height)
    case .xrgb:
      let part = plane.from(row: region.y, byte: region.x * 4)
      part.shuffle(target.isRGBA ? .dropFirst : .reverse, size, into: target)
      target.makeOpaque(size)
    default:
      guard let pattern = format.pixelFormat.bayer else { return }
      pattern.demosaic(plane, format.size, region: region, into: target)
    }
  }

  /// Converts BGRA pixels of the same size to another RGB format, or to the values of a sensor behind a Bayer filter.
  func pack(_ pixels: PixelBuffer) {
    let (source, size, target) = (pixels.planes[0], format.size, planes[0])
    switch format.pixelFormat {
    case .rgb24, .bgr24:
      let convert = format.pixelFormat == .rgb24 ? ARGBToRAW : ARGBToRGB24
      _ = convert(
        source.pointer, source.stride, target.pointer, target.stride, Int32(size.width), Int32(size.height))
    case .xrgb:
      let packed = PackedPixels(base: target.pointer, bytesPerRow: target.bytesPerRow, isRGBA: false)
      source.shuffle(.reverse, size, into: packed)
    default: format.pixelFormat.bayer?.sample(source, size, into: target)
    }
  }
}

/// A permutation of the bytes of four pixels. Each is made once.
private struct ByteOrder {
  let places: [UInt8]

  /// The first byte of each pixel becomes its last.
  static let dropFirst = ByteOrder([1, 2, 3, 0])
  static let reverse = ByteOrder([3, 2, 1, 0])

  /// - Parameter pixel: the permutation of the first pixel.
  private init(_ pixel: [UInt8]) {
    places = (0..<4).flatMap { number in pixel.map { $0 + UInt8(number * 4) } }
  }
}

extension Plane {
  /// Copies four-byte pixels with their bytes in another order.
  fileprivate func shuffle(_ order: ByteOrder, _ size: PixelSize, into target: PackedPixels) {
    ARGBShuffle(
      pointer, stride, target.base, target.stride, order.places, Int32(size.width), Int32(size.height))
  }
}

/// The site of the red filter in each square of four sites. Blue is diagonally opposite, and green at the other two.
struct BayerPattern: Sendable {
  /// The column and the row of red in the square: 0 or 1.
  let redX, redY: Int

  /// Converts Bayer values to colours: each colour that a site lacks is the mean of the nearest sites that have it (bilinear). At the edges the
  /// picture is mirrored, which keeps the order of the colours.
  /// - Parameter region: within the picture.
  func demosaic(_ plane: Plane, _ size: PixelSize, region: AspectFill.Region, into target: PackedPixels) {
    for row in 0..<region.size.height {
      let y = region.y + row
      let lines = Lines(
        above: plane.row(Self.mirrored(y - 1, size.height)), here: plane.row(y),
        below: plane.row(Self.mirrored(y + 1, size.height)))
      let isRed = y & 1 == redY
      // The byte offset of the colour that this row has beside green. The other offset is for the colour that the row lacks.
      let ownAt = isRed == target.isRGBA ? 0 : 2
      // The parity of the columns that are green in this row.
      let green = isRed ? 1 &- redX : redX
      let pixels = Pixels(
        base: target.base + row * target.bytesPerRow, first: region.x, own: ownAt &* 8)
      let (start, end) = (region.x, region.x + region.size.width)
      // Two sites at a time, without those at the edges of the picture.
      var x = max(start, 1)
      if x & 1 != green { x += 1 }
      let inner = min(end, size.width - 1)
      for column in start..<min(x, end) {
        pixels.set(column, lines.colors(column, size.width, isGreen: column & 1 == green))
      }
      while x &+ 1 < inner {
        pixels.set(x, lines.atGreen(x, x &- 1, right: x &+ 1))
        pixels.set(x &+ 1, lines.atOwn(x &+ 1, x, right: x &+ 2))
        x &+= 2
      }
      for column in min(x, end)..<end {
        pixels.set(column, lines.colors(column, size.width, isGreen: column & 1 == green))
      }
    }
  }

  /// A row of pixels of four bytes, whose first is that of column `first`.
  private struct Pixels {
    let base: UnsafeMutablePointer<UInt8>
    let first: Int
    /// The bit at which the row's own colour begins in a little-endian pixel: 0 or 16. The colour that the row lacks begins at the other.
    let own: Int

    @inline(__always)
    func set(_ column: Int, _ colors: (own: UInt8, green: UInt8, other: UInt8)) {
      let pixel =
        UInt32(colors.own) &<< UInt32(truncatingIfNeeded: own) | UInt32(colors.green) &<< 8
        | UInt32(colors.other) &<< UInt32(truncatingIfNeeded: 16 &- own) | 0xFF00_0000
      let place = UnsafeMutableRawPointer(base + (column &- first) &* 4)
      place.storeBytes(of: pixel.littleEndian, as: UInt32.self)
    }
  }

  /// - Parameter pixels: BGRA.
  func sample(_ pixels: Plane, _ size: PixelSize, into plane: Plane) {
    for y in 0..<size.height {
      let (from, to) = (pixels.row(y), plane.row(y))
      for x in 0..<size.width {
        let (isRedColumn, isRedRow) = (x & 1 == redX, y & 1 == redY)
        let byte = isRedColumn != isRedRow ? 1 : isRedRow ? 2 : 0
        to[x] = from[x &* 4 &+ byte]
      }
    }
  }

  @inline(__always)
  private static func mirrored(_ index: Int, _ count: Int) -> Int {
    index < 0 ? min(1, count &- 1) : index < count ? index : max(count &- 2, 0)
  }

  /// Three rows of sites. Means are rounded.
  private struct Lines {
    let above, here, below: UnsafeMutablePointer<UInt8>

    /// The colours at a site anywhere.
    func colors(_ x: Int, _ width: Int, isGreen: Bool) -> (own: UInt8, green: UInt8, other: UInt8) {
      let (left, right) = (BayerPattern.mirrored(x - 1, width), BayerPattern.mirrored(x + 1, width))
      return isGreen ? atGreen(x, left, right: right) : atOwn(x, left, right: right)
    }

    /// The colours at a green site: the row's other colour is beside it, and the one that the row lacks is above and below.
    @inline(__always)
    func atGreen(_ x: Int, _ left: Int, right: Int) -> (own: UInt8, green: UInt8, other: UInt8) {
      (mean(here[left], here[right]), here[x], mean(above[x], below[x]))
    }

    /// The colours at a red or blue site: green is beside, above and below it, and the other colour at its corners.
    @inline(__always)
    func atOwn(_ x: Int, _ left: Int, right: Int) -> (own: UInt8, green: UInt8, other: UInt8) {
      (
        here[x], mean(here[left], here[right], c: above[x], d: below[x]),
        mean(above[left], above[right], c: below[left], d: below[right])
      )
    }

    @inline(__always)
    private func mean(_ a: UInt8, _ b: UInt8) -> UInt8 {
      UInt8(truncatingIfNeeded: (UInt16(a) &+ UInt16(b) &+ 1) &>> 1)
    }

    @inline(__always)
    private func mean(_ a: UInt8, _ b: UInt8, c: UInt8, d: UInt8) -> UInt8 {
      UInt8(truncatingIfNeeded: (UInt16(a) &+ UInt16(b) &+ UInt16(c) &+ UInt16(d) &+ 2) &>> 2)
    }
  }
}

/// Reads the brightness of any uncompressed picture between its pixels. Valid only while its `PixelBuffer` is held.
struct LumaSampler {
  let size: PixelSize
  private let base: UnsafeRawPointer
  private let bytesPerRow: Int
  private let pixelStride: Int
  private let isColor: Bool

  /// Nil for compressed pictures, and for planes too small for the format they claim.
  init?(_ image: PixelBuffer) {
    guard let place = image.format.pixelFormat.lumaPlace, let plane = image.planes.first else { return nil }
    let size = image.format.size
    guard size.width > 0, size.height > 0, plane.height >= size.height,
      plane.bytesPerRow / place.stride >= size.width
    else { return nil }
    self.size = size
    base = UnsafeRawPointer(plane.base) + place.offset
    bytesPerRow = plane.bytesPerRow
    pixelStride = place.stride
    isColor = image.format.pixelFormat.isRGB
  }

  /// 0–255 at the pixel, which must be inside. Red and blue weigh the same, so that their order does not matter: charts are grey.
  private func luma(_ x: Int, _ y: Int) -> Int {
    let pixel = base + (y * bytesPerRow + x * pixelStride)
    let first = Int(pixel.load(as: UInt8.self))
    guard isColor else { return first }
    let green = Int(pixel.load(fromByteOffset: 1, as: UInt8.self))
    return (first + 2 * green + Int(pixel.load(fromByteOffset: 2, as: UInt8.self))) / 4
  }

  /// Bilinear; positions outside take the nearest pixel.
  func luma(at point: ChartPoint) -> Double {
    let x = min(max(point.x - 0.5, 0), Double(size.width - 1))
    let y = min(max(point.y - 0.5, 0), Double(size.height - 1))
    let (left, top) = (Int(x), Int(y))
    let (right, bottom) = (min(left + 1, size.width - 1), min(top + 1, size.height - 1))
    let (dx, dy) = (x - Double(left), y - Double(top))
    let upper = Double(luma(left, top)) * (1 - dx) + Double(luma(right, top)) * dx
    let lower = Double(luma(left, bottom)) * (1 - dx) + Double(luma(right, bottom)) * dx
    return upper * (1 - dy) + lower * dy
  }

  /// The mean brightness of the middle of each cell of a chart of `side` × `side` cells, row by row: nine samples each
  /// from the middle third, away from what blur and scaling bring over from the neighbours.
  func cells(side: Int, corners: ChartCorners) -> [Double] {
    let third = 1.0 / 3
    return (0..<side * side).map { index in
      var sum = 0.0
      for step in 0..<9 {
        let u = Double(index % side) + 0.5 + Double(step % 3 - 1) * third / 2
        let v = Double(index / side) + 0.5 + Double(step / 3 - 1) * third / 2
        sum += luma(at: corners.position(u: u / Double(side), v: v / Double(side)))
      }
      return sum / 9
    }
  }
}

/// Fills the cells of a chart into a luma plane, or all three colours of a four-byte format.
struct ChartPainter {
  let luma: Plane
  /// Bytes from pixel to pixel: 1 planar, 2 YUYV, 4 BGRA or RGBA.
  let pixelStride: Int

  func paint(side: Int, in rect: ChartRect, level: (Int) -> UInt8) {
    for index in 0..<side * side {
      let (column, row) = (index % side, index / side)
      fill(
        columns: rect.x + column * rect.width / side..<rect.x + (column + 1) * rect.width / side,
        rows: rect.y + row * rect.height / side..<rect.y + (row + 1) * rect.height / side, with: level(index))
    }
  }

  private func fill(columns: Range<Int>, rows: Range<Int>, with level: UInt8) {
    let columns = columns.clamped(to: 0..<luma.bytesPerRow / pixelStride)
    for y in rows.clamped(to: 0..<luma.height) {
      for x in columns {
        let pixel = luma.base + (y * luma.bytesPerRow + x * pixelStride)
        for channel in 0..<(pixelStride == 4 ? 3 : 1) {
          pixel.storeBytes(of: level, toByteOffset: channel, as: UInt8.self)
        }
      }
    }
  }
}

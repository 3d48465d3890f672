import Imagery

extension LumaSampler {
  /// Returns the mean brightness of each cell of a chart of `side` × `side` cells, row by row. Takes nine
  /// samples from the middle third of a cell, where blur and scaling add nothing from its neighbours.
  func cells(side: Int, corners: ChartCorners) -> [Double] {
    let third = 1.0 / 3
    return (0..<side * side).map { index in
      var sum = 0.0
      for step in 0..<9 {
        let u = Double(index % side) + 0.5 + Double(step % 3 - 1) * third / 2
        let v = Double(index / side) + 0.5 + Double(step / 3 - 1) * third / 2
        let point = corners.position(u: u / Double(side), v: v / Double(side))
        sum += luma(x: point.x, y: point.y)
      }
      return sum / 9
    }
  }
}

/// A painter that fills the cells of a chart into a luma plane, or into all three colours of a four-byte format.
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

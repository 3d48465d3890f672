extension TerminalPicture {
  /// The picture scaled down to fit; each pixel is the mean of those that it covers. It is never scaled up.
  func fitted(_ room: (width: Int, height: Int)) -> TerminalPicture {
    let (wide, high) = fittedSize(room)
    guard (wide, high) != (width, height) else { return self }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(wide * high * 3)
    for y in 0..<high {
      let rows = Self.span(y, of: high, in: height)
      for x in 0..<wide {
        let columns = Self.span(x, of: wide, in: width)
        for channel in 0..<3 {
          var sum = 0
          for row in rows {
            for column in columns { sum += Int(rgb[(row * width + column) * 3 + channel]) }
          }
          let count = rows.count * columns.count
          pixels.append(UInt8((sum + count / 2) / count))
        }
      }
    }
    return TerminalPicture(width: wide, height: high, rgb: pixels) ?? self
  }

  /// The size of ``fitted(_:)``.
  func fittedSize(_ room: (width: Int, height: Int)) -> (width: Int, height: Int) {
    let scale = min(1, Double(room.width) / Double(width), Double(room.height) / Double(height))
    return (
      max(1, Int((Double(width) * scale).rounded())), max(1, Int((Double(height) * scale).rounded()))
    )
  }

  private static func span(_ index: Int, of count: Int, in length: Int) -> Range<Int> {
    let start = index * length / count
    return start..<max(start + 1, (index + 1) * length / count)
  }
}

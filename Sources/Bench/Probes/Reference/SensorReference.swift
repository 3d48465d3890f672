import Imagery

/// Conversion of RGB in memory, and of a sensor's single colour per pixel, to red, green and blue in double precision. Missing colours are the mean
/// of the nearest sites that have them (bilinear; mirrored beyond the edges). Independent of the engine's conversion.
struct SensorReference {
  private let plane: Plane
  private let size: PixelSize
  private let isFull: Bool
  /// Bytes per pixel, and the offsets of red, green and blue. Nil for a Bayer filter.
  private let packed: (step: Int, places: [Int])?
  /// The colours of a square of four sites, row by row: 0 red, 1 green, 2 blue.
  private let filter: [Int]

  /// - Parameter image: an RGB or Bayer picture.
  init(_ image: PixelBuffer) {
    plane = image.planes[0]
    size = image.format.size
    isFull = image.format.color.range == .full
    (packed, filter) =
      switch image.format.pixelFormat {
      case .rgba: ((4, [0, 1, 2]), [])
      case .rgb24: ((3, [0, 1, 2]), [])
      case .bgr24: ((3, [2, 1, 0]), [])
      case .xrgb: ((4, [1, 2, 3]), [])
      case .bayerBGGR: (nil, [2, 1, 1, 0])
      case .bayerGBRG: (nil, [1, 2, 0, 1])
      case .bayerGRBG: (nil, [1, 0, 2, 1])
      case .bayerRGGB: (nil, [0, 1, 1, 2])
      default: ((4, [2, 1, 0]), [])
      }
  }

  /// Fills a row with red, green and blue of each pixel, 0...255, not rounded.
  func fill(_ row: Int, _ samples: UnsafeMutableBufferPointer<Double>) {
    for x in 0..<size.width {
      for channel in 0..<3 {
        let code = packed.map { byte(x * $0.step + $0.places[channel], row) } ?? mean(of: channel, x, row)
        samples[x * 3 + channel] = light(code)
      }
    }
  }

  private func byte(_ x: Int, _ y: Int) -> Double {
    Double((plane.base + y * plane.bytesPerRow).load(fromByteOffset: x, as: UInt8.self))
  }

  /// Converts a code to 0...255. In limited range, black is 16 and white 235 for each of red, green and blue (ITU-R BT.709-6, 4.6;
  /// BT.2020-2, table 5). Values beyond cannot be shown.
  private func light(_ code: Double) -> Double {
    isFull ? code : min(max((code - 16) / 219, 0), 1) * 255
  }

  /// Returns the mean of the nearest sites with that colour, among the site itself and the eight around it.
  private func mean(of channel: Int, _ x: Int, _ y: Int) -> Double {
    for distance in 0...2 {
      var values: [Double] = []
      for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]
      where abs(dx) + abs(dy) == distance && filter[((y + dy) & 1) * 2 + ((x + dx) & 1)] == channel {
        values.append(byte(mirrored(x + dx, size.width), mirrored(y + dy, size.height)))
      }
      if !values.isEmpty { return values.reduce(0, +) / Double(values.count) }
    }
    return 0
  }

  private func mirrored(_ index: Int, _ count: Int) -> Int {
    if index < 0 { return min(-index, count - 1) }
    return index < count ? index : max(2 * count - 2 - index, 0)
  }
}

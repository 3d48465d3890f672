/// PP-OCR's text detector, which returns the probability of text at each pixel.
struct TextDetector {
  let model: OpenVINOModel
  /// The longest side of the model's input, pixels. Larger pictures are searched in overlapping tiles.
  static let tileSide = 1600
  static let overlap = 160
  /// The mean of the training pictures, 0…1, for each channel in the order of the pixels. Like `deviation`, it is the value of
  /// ImageNet that PaddleOCR's `NormalizeImage` of the detector uses.
  private static let mean: [Float] = [0.485, 0.456, 0.406]
  /// The standard deviation of the training pictures, 0…1, for each channel in the order of the pixels.
  private static let deviation: [Float] = [0.229, 0.224, 0.225]

  struct Tile: Equatable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  /// Returns the map of the whole picture. Where tiles overlap, the higher probability counts.
  func map(of raster: Raster) throws(ScanError) -> TextMap {
    let tiles = Self.tiles(width: raster.width, height: raster.height)
    let maps = try model.run(tiles.count) { (index, request) throws(ScanError) in
      try detect(tiles[index], of: raster, request)
    }
    if maps.count == 1, let only = maps.first, only.width == raster.width, only.height == raster.height {
      return only
    }
    var whole = TextMap(width: raster.width, height: raster.height)
    for (tile, map) in zip(tiles, maps) { whole.merge(map, x: tile.x, y: tile.y) }
    return whole
  }

  /// Returns tiles of equal size that cover the picture, each at most `tileSide` a side. Neighbours overlap by at least
  /// `overlap`.
  static func tiles(width: Int, height: Int) -> [Tile] {
    let (columns, rows) = (spans(width), spans(height))
    return rows.flatMap { row in
      columns.map { Tile(x: $0.start, y: row.start, width: $0.length, height: row.length) }
    }
  }

  private static func spans(_ total: Int) -> [(start: Int, length: Int)] {
    guard total > tileSide else { return [(0, total)] }
    let count = (total - overlap + tileSide - overlap - 1) / (tileSide - overlap)
    let length = (total + (count - 1) * overlap + count - 1) / count
    return (0..<count).map { index in ((total - length) * index / (count - 1), length) }
  }

  private func detect(
    _ tile: Tile, of raster: Raster, _ request: borrowing OpenVINOModel.Request
  ) throws(ScanError) -> TextMap {
    // The network halves its input five times, so the size must be a multiple of 32.
    let (width, height) = ((tile.width + 31) / 32 * 32, (tile.height + 31) / 32 * 32)
    let input = UnsafeMutablePointer<Float>.allocate(capacity: 3 * width * height)
    defer { input.deallocate() }
    input.update(repeating: 0, count: 3 * width * height)
    Self.write(tile, of: raster, to: input, width, height)
    return try request.infer(input, [1, 3, height, width]) { (output, shape) throws(ScanError) in
      guard shape == [1, 1, height, width] else {
        throw .recognition(engine: "OpenVINO", reason: "the detector gave a map of shape \(shape)")
      }
      return TextMap(output, rowLength: width, width: tile.width, height: tile.height)
    }
  }

  /// Writes the three planes of a tile, normalised as in the model's training.
  /// - Parameter input: 3 planes of `height` rows of `width`. Values outside the tile are left unchanged.
  static func write(
    _ tile: Tile, of raster: Raster, to input: UnsafeMutablePointer<Float>, _ width: Int, _ height: Int
  ) {
    for channel in 0..<3 {
      let (gain, offset) = (1 / (255 * deviation[channel]), -mean[channel] / deviation[channel])
      for y in 0..<tile.height {
        let source = raster.base + ((tile.y + y) * raster.bytesPerRow + tile.x * 4 + channel)
        let target = input + (channel * height + y) * width
        for x in 0..<tile.width { target[x] = Float(source[4 &* x]) * gain + offset }
      }
    }
  }
}

extension TextMap {
  /// Converts probabilities.
  /// - Parameter probabilities: rows of `rowLength`, 0…1.
  fileprivate init(_ probabilities: UnsafePointer<Float>, rowLength: Int, width: Int, height: Int) {
    self.init(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let value = probabilities[y &* rowLength &+ x] * 255
        bytes[y &* width &+ x] = UInt8(min(max(value, 0), 255))
      }
    }
  }

  /// Merges `map` at x, y, keeping the larger value everywhere.
  mutating func merge(_ map: TextMap, x: Int, y: Int) {
    for row in 0..<map.height {
      for column in 0..<map.width {
        let index = (y &+ row) &* width &+ x &+ column
        bytes[index] = max(bytes[index], map.bytes[row &* map.width &+ column])
      }
    }
  }
}

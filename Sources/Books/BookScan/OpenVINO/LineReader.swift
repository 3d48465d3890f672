/// PP-OCR's line recogniser. Reads regions of a photo in batches of similar length.
struct LineReader {
  let model: OpenVINOModel
  let characters: CharacterList

  /// The greatest width of a line's input, pixels at a height of 48. Longer lines are squeezed to it.
  static let widest = 2400
  /// The unit to which widths of inputs are rounded up, pixels, so that the library meets few shapes.
  static let step = 32
  /// The greatest padded width of a batch, pixels: the number of its lines times the width of the longest.
  static let batchWidth = 3200
  /// The greatest number of lines in a batch.
  static let batchLines = 8

  struct Reading: Sendable {
    var text = ""
    /// The mean probability of the letters, 0 if there are none.
    var confidence = 0.0
    /// The free space before each word but the first, in heights of the line.
    var gaps: [Double] = []
  }

  /// The number of output steps over a width equal to the line's height.
  static let heightSteps = 6

  /// Reads regions.
  /// - Parameters:
  ///   - isFaint: whether to stretch the contrast of each line first.
  ///   - isSpaced: whether a gap wider than the line's height separates words.
  /// - Returns: one reading for each region, in the same order.
  func read(
    _ regions: [TextRegion], in photo: Raster, isFaint: Bool = false, isSpaced: Bool = false
  ) throws(ScanError) -> [Reading] {
    let widths = regions.map { min(LineRectifier.width(of: $0), Self.widest) }
    let batches = Self.batches(widths)
    let rectifier = LineRectifier(photo: photo)
    let results = try model.run(batches.count) { (index, request) throws(ScanError) in
      try read(
        batches[index].map { (regions[$0], widths[$0]) }, isFaint, isSpaced, rectifier, request)
    }
    var readings = [Reading](repeating: Reading(), count: regions.count)
    for (batch, texts) in zip(batches, results) {
      for (index, text) in zip(batch, texts) { readings[index] = text }
    }
    return readings
  }

  /// Groups the indices of lines into batches that are read together. The longest lines come first, so that two workers end at
  /// about the same time.
  static func batches(_ widths: [Int]) -> [[Int]] {
    var batches: [[Int]] = []
    for index in widths.indices.sorted(by: { widths[$0] > widths[$1] }) {
      if let batch = batches.last, batch.count < batchLines,
        (batch.count + 1) * widths[batch[0]] <= batchWidth, widths[index] * 4 >= widths[batch[0]] * 3
      {
        batches[batches.count - 1].append(index)
      } else {
        batches.append([index])
      }
    }
    return batches
  }

  private func read(
    _ lines: [(region: TextRegion, width: Int)], _ isFaint: Bool, _ isSpaced: Bool,
    _ rectifier: LineRectifier,
    _ request: borrowing OpenVINOModel.Request
  ) throws(ScanError) -> [Reading] {
    let widest = lines.map(\.width).max() ?? 0
    let width = max(64, (widest + Self.step - 1) / Self.step * Self.step)
    let lineLength = 3 * LineRectifier.height * width
    let input = UnsafeMutablePointer<Float>.allocate(capacity: lines.count * lineLength)
    defer { input.deallocate() }
    input.update(repeating: 0, count: lines.count * lineLength)
    for (index, line) in lines.enumerated() {
      rectifier.write(line.region, width: line.width, rowLength: width, into: input + index * lineLength)
      if isFaint { LineRectifier.stretch(input + index * lineLength, width: line.width, rowLength: width) }
    }
    let shape = [lines.count, 3, LineRectifier.height, width]
    return try request.infer(input, shape) { (output, shape) throws(ScanError) in
      guard shape.count == 3, shape[0] == lines.count, shape[2] == characters.characters.count else {
        throw .recognition(
          engine: "OpenVINO",
          reason:
            "the recogniser gave \(shape) for \(lines.count) lines of \(characters.characters.count) characters"
        )
      }
      let decoding = LineDecoding(characters: characters, widestGap: isSpaced ? Self.heightSteps : nil)
      return lines.indices.map {
        decoding.reading(output + $0 * shape[1] * shape[2], steps: shape[1], classes: shape[2])
      }
    }
  }

  /// Returns the index and value of the largest of `count` floats.
  static func largest(_ values: UnsafePointer<Float>, _ count: Int) -> (Int, Float) {
    var lanes = SIMD16<Float>(repeating: -.infinity)
    var index = 0
    while index &+ 16 <= count {
      let next = UnsafeRawPointer(values + index).loadUnaligned(as: SIMD16<Float>.self)
      lanes.replace(with: next, where: next .> lanes)
      index &+= 16
    }
    var best = lanes.max()
    while index < count {
      best = max(best, values[index])
      index &+= 1
    }
    return ((0..<count).first { values[$0] == best } ?? 0, best)
  }
}

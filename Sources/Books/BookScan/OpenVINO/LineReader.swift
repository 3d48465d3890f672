import Glibc

/// PP-OCR's line recogniser: regions of a photo → their text, in batches of similar length.
struct LineReader {
  let model: OpenVINOModel
  let characters: CharacterList

  /// Longest line read, pixels at 48 high; longer ones are squeezed.
  static let widest = 2400
  /// Widths are rounded up to multiples, so that few shapes are seen.
  static let step = 32
  /// A batch holds at most so many pixels of width in all, and so many lines.
  static let batchWidth = 3200
  static let batchLines = 8

  struct Reading: Sendable {
    var text = ""
    /// Mean probability of the letters, 0 when there are none.
    var confidence = 0.0
    /// Before each word but the first, what is free of letters, heights of the line.
    var gaps: [Double] = []
  }

  /// Steps of a gap as wide as the line is high.
  static let heightSteps = 6

  /// - Parameters:
  ///   - isFaint: spread the brightness of each line first.
  ///   - isSpaced: a gap as wide as the line is high parts words.
  /// - Returns: one reading a region, in the same order.
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

  /// Indices of lines to read together, the longest first, so that two workers end together.
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

  /// Index and value of the largest of `count` floats.
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

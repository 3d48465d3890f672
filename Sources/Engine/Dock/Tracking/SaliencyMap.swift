import Glibc

/// Finds the salient parts of a picture by its spectral residual (Hou and Zhang, "Saliency Detection: A Spectral Residual Approach", CVPR
/// 2007): unusual parts of the spectrum's logarithm are unusual parts of the picture. It does not recognise faces or persons.
struct SaliencyMap {
  struct Proposal {
    var rect: DockRect
    /// The sum of the saliency in `rect`.
    var weight: Double
  }

  private static let side = 64
  private let transform = FourierTransform(side: side)

  /// The most salient parts of a region, in descending order.
  func proposals(in picture: LumaPicture, region: DockRect) -> [Proposal] {
    let samples = picture.samples(of: region, columns: Self.side, rows: Self.side)
    return Self.parts(of: residual(samples)).map { part in
      let cell = (width: region.width / Double(Self.side), height: region.height / Double(Self.side))
      let rect = DockRect(
        x: region.x + Double(part.columns.lowerBound) * cell.width,
        y: region.y + Double(part.rows.lowerBound) * cell.height,
        width: Double(part.columns.count) * cell.width, height: Double(part.rows.count) * cell.height)
      return Proposal(rect: rect, weight: part.weight)
    }
  }

  /// The smoothed map.
  private func residual(_ samples: [Float]) -> [Float] {
    var square = FourierTransform.Square(real: samples)
    transform.forward(&square)
    let logs = square.real.indices.map { index in
      log(hypot(square.real[index], square.imaginary[index]) + 1e-3)
    }
    let usual = Self.smoothed(logs, wraps: true)
    for index in logs.indices {
      // Keep the phase; of the amplitude keep only the unusual part.
      let factor = exp(logs[index] - usual[index]) / exp(logs[index])
      square.real[index] *= factor
      square.imaginary[index] *= factor
    }
    transform.inverse(&square)
    var map = square.real.indices.map { index in
      square.real[index] * square.real[index] + square.imaginary[index] * square.imaginary[index]
    }
    for _ in 0..<4 { map = Self.smoothed(map, wraps: false) }
    return map
  }

  /// The means of three by three values.
  private static func smoothed(_ map: [Float], wraps: Bool) -> [Float] {
    func place(_ index: Int) -> Int { wraps ? (index + side) % side : min(max(index, 0), side - 1) }
    return map.indices.map { index in
      let (column, row) = (index % side, index / side)
      var sum = Float(0)
      for y in -1...1 {
        for x in -1...1 { sum += map[place(row + y) * side + place(column + x)] }
      }
      return sum / 9
    }
  }

  private struct Part {
    var columns: Range<Int>
    var rows: Range<Int>
    var weight: Double
  }

  /// The connected areas with at least three times the mean; at least three cells a side, at most half of the picture.
  private static func parts(of map: [Float]) -> [Part] {
    let threshold = 3 * map.reduce(0, +) / Float(map.count)
    var isTaken = map.map { $0 < threshold }
    var parts: [Part] = []
    for start in map.indices where !isTaken[start] {
      parts.append(part(from: start, map, &isTaken))
    }
    return parts.filter { part in
      part.columns.count >= 3 && part.rows.count >= 3 && part.columns.count <= side / 2
        && part.rows.count <= side / 2
    }.sorted { $0.weight > $1.weight }
  }

  private static func part(from start: Int, _ map: [Float], _ isTaken: inout [Bool]) -> Part {
    var part = Part(
      columns: start % side..<start % side + 1, rows: start / side..<start / side + 1, weight: 0)
    var waiting = [start]
    isTaken[start] = true
    while let index = waiting.popLast() {
      let (column, row) = (index % side, index / side)
      part.columns = min(part.columns.lowerBound, column)..<max(part.columns.upperBound, column + 1)
      part.rows = min(part.rows.lowerBound, row)..<max(part.rows.upperBound, row + 1)
      part.weight += Double(map[index])
      for (x, y) in [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
      where (0..<side).contains(x) && (0..<side).contains(y) && !isTaken[y * side + x] {
        isTaken[y * side + x] = true
        waiting.append(y * side + x)
      }
    }
    return part
  }
}

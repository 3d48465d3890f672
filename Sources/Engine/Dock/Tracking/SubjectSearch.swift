/// The appearance of a subject in sixteen by sixteen samples, with mean 0 and length 1.
struct SearchTemplate {
  static let side = 16
  let rect: DockRect
  let samples: [Float]

  init(_ rect: DockRect, in picture: LumaPicture) {
    self.rect = rect
    samples = Self.normalised(picture.samples(of: rect, columns: Self.side, rows: Self.side))
  }

  private static func normalised(_ samples: [Float]) -> [Float] {
    let mean = samples.reduce(0, +) / Float(samples.count)
    let length = samples.reduce(Float(0)) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
    return samples.map { ($0 - mean) / max(length, 1e-3) }
  }
}

/// Looks for a lost subject in the whole picture: normalised cross-correlation of its template with a copy of the picture, reduced so that the
/// subject has sixteen samples a side. Each frame one size is tried: the former size, a fifth smaller, or a quarter larger.
struct SubjectSearch {
  private static let scales = [1.0, 0.8, 1.25]
  /// The largest number of places to return for a picture.
  private static let mostPlaces = 3
  /// The least likeness of a place to the template, −1...1.
  private static let likeness: Float = 0.45
  private var turn = 0

  /// Places that look like the subject, the likeliest first.
  /// - Parameter region: the region in which the subject may be.
  mutating func places(of template: SearchTemplate, in picture: LumaPicture, region: DockRect) -> [DockRect] {
    defer { turn += 1 }
    let scale = Self.scales[turn % Self.scales.count]
    let side = SearchTemplate.side
    let size = (width: template.rect.width * scale, height: template.rect.height * scale)
    let columns = min(Int((region.width / size.width * Double(side)).rounded()), 512)
    let rows = min(Int((region.height / size.height * Double(side)).rounded()), 512)
    guard columns >= side, rows >= side else { return [] }
    let small = picture.samples(of: region, columns: columns, rows: rows)
    let map = Self.likenesses(template.samples, small, columns: columns, rows: rows)
    return Self.peaks(map, columns - side + 1, down: rows - side + 1).map { column, row in
      DockRect(
        x: region.x + Double(column) / Double(columns) * region.width,
        y: region.y + Double(row) / Double(rows) * region.height, width: size.width, height: size.height)
    }
  }

  /// The likeness to the template at each place; the index is that of the template's first sample.
  private static func likenesses(_ template: [Float], _ picture: [Float], columns: Int, rows: Int)
    -> [Float]
  {
    let side = SearchTemplate.side
    let (across, down) = (columns - side + 1, rows - side + 1)
    var map = [Float](repeating: 0, count: across * down)
    template.withUnsafeBufferPointer { template in
      picture.withUnsafeBufferPointer { picture in
        for row in 0..<down {
          for column in 0..<across {
            var (dot, sum, squares) = (Float(0), Float(0), Float(0))
            for y in 0..<side {
              let line = (row + y) * columns + column
              for x in 0..<side {
                let value = picture[line + x]
                dot += template[y * side + x] * value
                sum += value
                squares += value * value
              }
            }
            let spread = squares - sum * sum / Float(side * side)
            map[row * across + column] = spread > 1 ? dot / spread.squareRoot() : 0
          }
        }
      }
    }
    return map
  }

  /// The likeliest places; none is within half a template of a likelier one.
  private static func peaks(_ map: [Float], _ across: Int, down: Int) -> [(column: Int, row: Int)] {
    var map = map
    var found: [(column: Int, row: Int)] = []
    while found.count < mostPlaces, let best = map.indices.max(by: { map[$0] < map[$1] }),
      map[best] > likeness
    {
      let (column, row) = (best % across, best / across)
      found.append((column, row))
      let reach = SearchTemplate.side / 2
      for y in max(row - reach, 0)...min(row + reach, down - 1) {
        for x in max(column - reach, 0)...min(column + reach, across - 1) { map[y * across + x] = -1 }
      }
    }
    return found
  }
}

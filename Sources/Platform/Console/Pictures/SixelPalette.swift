/// 256 fixed colours: a cube of 6×6×6, and 40 greys for pixels with little colour, which most spines and prints have.
enum SixelPalette {
  /// Red, green and blue in per cent, as in the sixel format. The cube first, then the greys.
  static let percents: [(red: Int, green: Int, blue: Int)] = {
    let cube = (0..<216).map { (red: $0 / 36 * 20, green: $0 / 6 % 6 * 20, blue: $0 % 6 * 20) }
    let greys = (0..<40).map { ($0 * 100 + 19) / 39 }.map { (red: $0, green: $0, blue: $0) }
    return cube + greys
  }()

  /// The colours of `percents`, with red, green and blue in 0…255.
  static let levels: [SIMD4<Int32>] = percents.map {
    SIMD4(level($0.red), level($0.green), level($0.blue), 0)
  }

  private static func level(_ percent: Int) -> Int32 { Int32((percent * 255 + 50) / 100) }

  /// The number of the nearest colour.
  /// - Parameter color: red, green and blue, 0…255 each.
  @inline(__always)
  static func nearest(_ color: SIMD4<Int32>) -> Int {
    let steps = (color &* 5 &+ 127) / 255
    let inCube = Int(steps[0] &* 36 &+ steps[1] &* 6 &+ steps[2])
    let mean = (color[0] &+ color[1] &+ color[2]) / 3
    let grey = 216 + Int((mean &* 39 &+ 127) / 255)
    return distance(levels[grey], color) < distance(levels[inCube], color) ? grey : inCube
  }

  @inline(__always)
  private static func distance(_ one: SIMD4<Int32>, _ other: SIMD4<Int32>) -> Int32 {
    let apart = one &- other
    return (apart &* apart).wrappedSum()
  }
}

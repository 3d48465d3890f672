import Imagery
import Testing

/// The conversion of 10-bit pictures for a video encoder.
@Suite struct WidePlaneTests {
  private static let color = ColorDescription(matrix: .bt709, range: .limited)

  /// Returns the codes of a stored pixel, read independently of the engine by the format's layout.
  private func codes(_ image: PixelBuffer, _ x: Int, _ y: Int) -> [Int] {
    func word(_ plane: Int, _ row: Int, _ index: Int) -> Int {
      let plane = image.planes[plane]
      return Int(plane.base.load(fromByteOffset: row * plane.bytesPerRow + index * 2, as: UInt16.self) >> 6)
    }
    let pair = x / 2
    return image.format.pixelFormat == .p010
      ? [word(0, y, x), word(1, y / 2, pair * 2), word(1, y / 2, pair * 2 + 1)]
      : [word(0, y, x * 2), word(0, y, pair * 4 + 1), word(0, y, pair * 4 + 3)]
  }

  /// Every code arrives at its pixel's position. Chroma that several pixels share is their mean. An odd last row or column is
  /// omitted.
  @Test(
    arguments: [PixelFormat.p010, .y210],
    Orientation.allCases.flatMap { orientation in
      [PlaneConverter.Sampling.s420, .s422].map { (orientation, $0) }
    })
  func everyCodeArrives(_ format: PixelFormat, _ way: (Orientation, PlaneConverter.Sampling)) throws {
    let (orientation, sampling) = way
    let image = try Pictures.raw(format, 31, 19, Self.color, Pictures.noise)
    let stored = PixelSize(width: 30, height: 18)
    // The converter owns the picture's memory.
    let converter = WidePlaneConverter()
    defer { withExtendedLifetime((converter, image)) {} }
    let picture = try converter.convert(image, orientation: orientation, sampling: sampling)
    #expect(picture.size == orientation.applied(to: stored))
    let rows = sampling == .s420 ? 2 : 1
    let width = picture.size.width / 2
    var sums = [[Int]](repeating: [0, 0], count: width * picture.size.height / rows)
    func code(_ plane: Int, _ x: Int, _ y: Int) -> Int {
      let plane = picture.planes[plane]
      return Int(plane.base.load(fromByteOffset: y * plane.bytesPerRow + x * 2, as: UInt16.self))
    }
    for y in 0..<stored.height {
      for x in 0..<stored.width {
        let (place, want) = (Reference.place(x, y, stored, orientation), codes(image, x, y))
        #expect(code(0, place.x, place.y) == want[0])
        let sample = place.y / rows * width + place.x / 2
        (sums[sample][0], sums[sample][1]) = (sums[sample][0] + want[1], sums[sample][1] + want[2])
      }
    }
    let count = rows * 2
    for (index, sum) in sums.enumerated() {
      let have = [code(1, index % width, index / width), code(2, index % width, index / width)]
      #expect(have == sum.map { ($0 + count / 2) / count })
    }
  }

  @Test func eightBitsAreRefused() throws {
    let image = try Pictures.raw(.nv12, 8, 8, Self.color, Pictures.noise)
    #expect(throws: ImageError.self) {
      _ = try WidePlaneConverter().convert(image, orientation: .upright, sampling: .s420)
    }
  }
}

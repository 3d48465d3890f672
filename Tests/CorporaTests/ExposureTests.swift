import Imagery
import Testing

@testable import swiftwing_render

@Suite("The effects of sensor and lens on a scene")
struct ExposureTests {
  private let size = PixelSize(width: 256, height: 128)

  /// Returns a scene without colour, whose luma depends on the column.
  private func scene(_ luma: (Int) -> Int) -> ScenePicture {
    let row = (0..<size.width).map { UInt16(luma($0) * 64) }
    let grey = [UInt16](repeating: 128 * 64, count: size.area)
    return ScenePicture(size: size, channels: [(0..<size.height).flatMap { _ in row }, grey, grey])
  }

  private func expose(_ scene: ScenePicture, optics: Optics, travel: Double = 0, seed: UInt64 = 1) -> [[Int]]
  {
    let exposure = Exposure(scene, size: size, optics: optics)
    exposure.expose(x: 0, y: 0, travel: (travel, 0), seed: seed)
    return (0..<3).map { channel in
      let plane = exposure.image.planes[channel]
      return (0..<plane.bytesPerRow * plane.height).map { Int(exposure.image.pixels(channel)[$0]) }
    }
  }

  private func deviation(_ samples: [Int]) -> Double {
    let mean = Double(samples.reduce(0, +)) / Double(samples.count)
    return (samples.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / Double(samples.count))
      .squareRoot()
  }

  @Test(
    "Noise is a webcam's: two levels in the middle, less in the dark, half of it in chroma",
    arguments: [(16, 1.17), (128, 2.0), (220, 2.48)])
  func noise(level: Int, expected: Double) {
    var optics = Optics()
    optics.fallOff = 0
    let planes = expose(scene { _ in level }, optics: optics)
    // Rounding to integers adds 1/12 to the variance. 32,768 samples give the deviation to within one percent.
    func rounded(_ deviation: Double) -> Double { (deviation * deviation + 1 / 12).squareRoot() }
    #expect(abs(deviation(planes[0]) / rounded(expected) - 1) < 0.03)
    for chroma in planes[1...] { #expect(abs(deviation(chroma) / rounded(expected / 2) - 1) < 0.05) }
    #expect(planes[1] != planes[2], "each channel has noise of its own")
  }

  @Test("Every frame has its own noise, and the same frame always the same")
  func seeds() {
    let flat = scene { _ in 100 }
    let (first, second) = (expose(flat, optics: Optics()), expose(flat, optics: Optics(), seed: 2))
    #expect(first == expose(flat, optics: Optics()) && first[0] != second[0])
  }

  @Test(
    "An edge is blurred over the distance that it moves while the shutter is open", arguments: [0.0, 3, 6.5])
  func motion(travel: Double) {
    let still = Optics(fallOff: 0, readNoise: 0, shotNoise: 0)
    let row = expose(scene { $0 < 128 ? 0 : 200 }, optics: still, travel: travel)[0][..<size.width]
    #expect(row[100] == 0 && row[155] == 200)
    // The variance of the edge's slope is 1/3 from the cubic B-spline plus travel²/12 from the motion.
    let slope = zip(row.dropFirst(), row).map { Double($0 - $1) / 200 }
    let mean = slope.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element }
    let variance = slope.enumerated().reduce(0) {
      $0 + (Double($1.offset) - mean) * (Double($1.offset) - mean) * $1.element
    }
    #expect(abs(mean - 127) < 0.1, "the middle of the way is where the picture is")
    #expect(abs(variance - (1.0 / 3 + travel * travel / 12)) < 0.1)
  }

  @Test("The weights sum to one at every position and distance", arguments: [0.0, 0.01, 0.4, 1, 6.55])
  func weights(travel: Double) {
    for step in 0..<64 {
      let taps = Taps(10 + Double(step) / 64, travel: travel)
      #expect(taps.weights.reduce(0, +) == 1024 && taps.weights.allSatisfy { $0 >= 0 })
    }
    #expect(Taps(10, travel: 0).weights.prefix(3) == [171, 682, 171])
  }
}

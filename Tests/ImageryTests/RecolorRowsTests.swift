import CPixelMath
import Testing

/// The recolouring of rows: the vector instructions give the result of plain C, which follows the formula.
struct RecolorRowsTests {
  private func noise(_ a: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { Pictures.noise(a, $0, count) }
  }

  private func clamped(_ value: Int) -> UInt8 { UInt8(min(max(value >> 14, 0), 255)) }

  @Test(arguments: [1, 15, 16, 17, 31, 64, 333], [Int16(19_077), 16_384, -700, .max, .min])
  func everyWayIsTheFormula(width: Int, gain: Int16) {
    let (from, other) = (noise(1, width), noise(2, width))
    let offsets = (0..<width).map { Int32(Int(Pictures.noise(3, $0, 0)) << 14 - (100 << 14)) }
    let cross = Int16(truncatingIfNeeded: Int(gain) / 3 - 900)
    let luma = (0..<width).map { clamped(Int(from[$0]) * Int(gain) + Int(offsets[$0])) }
    let chroma = (0..<width).map {
      clamped(
        (Int(from[$0]) - 128) * Int(gain) + (Int(other[$0]) - 128) * Int(cross) + (128 << 14) + 8192)
    }
    for isPlain in [false, true] {
      // The byte behind the row must not change.
      var (newLuma, newChroma) = ([UInt8](repeating: 77, count: width + 1), noise(4, width + 1))
      let behind = newChroma[width]
      cpixel_recolor_luma(from, &newLuma, offsets, gain, Int32(width), isPlain)
      cpixel_recolor_chroma(from, other, &newChroma, gain, cross, Int32(width), isPlain)
      #expect(newLuma == luma + [77])
      #expect(newChroma == chroma + [behind])
    }
  }
}

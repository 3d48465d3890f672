import CPixelMath
import System
import Testing

/// The mix of four nodes of a look: the processor's special instructions give the formula's result on every processor.
struct MixTests {
  @Test(arguments: 14...20) func bytesAndWordsAreTheFormula(shift: Int32) {
    var random = SplitMix64(seed: UInt64(shift))
    for round in 0..<2000 {
      let words = (0..<16).map { _ in
        // Noise, or the extreme values.
        let noise = Int16(truncatingIfNeeded: random.next())
        return round % 3 == 0 ? (noise < 0 ? .min : .max) : noise
      }
      var weights = [Int32]()
      for _ in 0..<3 { weights.append(Int32(random.next() % UInt64(16_385 - weights.reduce(0, +)))) }
      weights.append(16_384 - weights.reduce(0, +))
      let mixed = (0..<4).map { channel in
        let sum = (0..<4).reduce(0) { $0 + Int(words[$1 * 4 + channel]) * Int(weights[$1]) }
        return (sum + 1 << (Int(shift) - 1)) >> Int(shift)
      }
      let (bytes, wide) = words.withUnsafeBufferPointer { words -> (UInt32, UInt64) in
        guard let a = words.baseAddress else { return (0, 0) }
        let (b, c, d) = (a + 4, a + 8, a + 12)
        return (
          cpixel_mix_bytes(a, b, c, d, weights[0], weights[1], weights[2], weights[3], shift),
          cpixel_mix_words(a, b, c, d, weights[0], weights[1], weights[2], weights[3], shift, 1023)
        )
      }
      #expect(bytes == mixed.reversed().reduce(0) { $0 << 8 | UInt32(min(max($1, 0), 255)) })
      #expect(wide == mixed.reversed().reduce(0) { $0 << 16 | UInt64(min(max($1, 0), 1023)) })
    }
  }
}

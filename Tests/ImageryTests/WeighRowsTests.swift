import CPixelMath
import System
import Testing

/// The weighted sum of rows, with and without vector instructions.
@Suite struct WeighRowsTests {
  /// Rows of samples, `stride` bytes apart, each row with its weight.
  private struct Rows {
    let samples: [UInt8]
    let stride: Int
    let weights: [Int16]

    /// Returns the weighted sum of a column, rounded half up and clamped.
    func sum(_ column: Int) -> UInt8 {
      let sum = weights.enumerated().reduce(8192) {
        $0 + Int($1.element) * Int(samples[$1.offset * stride + column])
      }
      return UInt8(clamping: sum >> 14)
    }

    /// Returns the weighted sums of `width` columns, and the eight bytes behind them, which must not change.
    func weighed(_ width: Int, isPlain: Bool) -> [UInt8] {
      var row = [UInt8](repeating: 77, count: width + 8)
      cpixel_weigh_rows(samples, stride, weights, Int32(weights.count), Int32(width), &row, isPlain)
      return row
    }
  }

  private static let weights: [[Int16]] = [
    [16384], [-16384], [8192, 8192], [16384, 16384, -16384], [-1500, 9700, 9700, -1516], [-32768, 32767],
    [-300, 1000, 7492, 7492, 1000, -300], [-1021, 3000, 12_426, 3000, -1021],
    [-200, -900, 2100, 7192, 7192, 2100, -900, -200], [2341, 2341, 2341, 2341, 2340, 2340, 2340],
    (0..<37).map { Int16($0 * 23 + 30) },
  ]

  @Test(arguments: [1, 2, 31, 32, 33, 63, 64, 65, 96, 127, 130]) func bothAreTheSum(width: Int) {
    var random = SplitMix64(seed: UInt64(width))
    for weights in Self.weights {
      let stride = width + Int(random.next() % 40)
      for kind in 0..<3 {
        let samples = (0..<stride * weights.count + 8).map { _ in
          // Noise, or the extreme values, with which a sum overflows first.
          kind == 0
            ? UInt8(truncatingIfNeeded: random.next()) : kind == 1 ? (random.next() % 2 == 0 ? 0 : 255) : 255
        }
        let rows = Rows(samples: samples, stride: stride, weights: weights)
        let want = (0..<width).map(rows.sum) + [UInt8](repeating: 77, count: 8)
        #expect(rows.weighed(width, isPlain: true) == want, "plain, \(width) wide, \(weights.count) rows")
        #expect(rows.weighed(width, isPlain: false) == want, "\(width) wide, \(weights.count) rows")
      }
    }
  }
}

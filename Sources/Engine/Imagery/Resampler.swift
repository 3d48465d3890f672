import CPixelMath
import CYUV

/// The weights for computing each destination sample of one axis from neighbouring source samples.
struct ResampleWeights {
  /// The first source index of each destination sample.
  let starts: [Int]
  /// `taps` weights for each destination sample, in 1/16384; each set sums to exactly 16384, so flat fields stay flat.
  let weights: [Int16]
  let taps: Int

  /// Creates the weights of a tent as wide as a destination sample, or, if `sharp`, of a Catmull–Rom cubic (Keys, IEEE ASSP
  /// 29(6), 1981, a = −½); when reducing, both are stretched by `ratio`. Samples outside the picture repeat its edge.
  ///
  /// - Parameters:
  ///   - ratio: the number of source samples per destination sample.
  ///   - phase: the source coordinate of the destination's left edge.
  init(source: Int, destination: Int, ratio: Double, phase: Double, sharp: Bool) {
    let stretch = max(ratio, 1)
    let radius = stretch * (sharp ? 2 : 1)
    let taps = min(source, Int((radius * 2).rounded(.up)))
    self.taps = taps
    var starts = [Int](repeating: 0, count: destination)
    // A photo has about two thousand sets of weights, so they share one array.
    weights = [Int16](unsafeUninitializedCapacity: destination * taps) { weights, count in
      count = destination * taps
      withUnsafeTemporaryAllocation(of: Double.self, capacity: taps) { values in
        for index in 0..<destination {
          let centre = phase + (Double(index) + 0.5) * ratio - 0.5
          // Only samples strictly within the kernel: on its edge the weight is zero.
          let first = Self.floor(centre - radius) + 1
          let last = -Self.floor(-centre - radius) - 1
          let start = min(max(first, 0), source - taps)
          values.initialize(repeating: 0)
          for tap in first...max(first, last) {
            let inside = min(max(tap, start), start + taps - 1)
            values[inside - start] += Self.kernel(abs(Double(tap) - centre) / stretch, sharp)
          }
          starts[index] = start
          Self.quantise(
            values, into: UnsafeMutableBufferPointer(rebasing: weights[index * taps..<(index + 1) * taps]))
        }
      }
    }
    self.starts = starts
  }

  private static func kernel(_ x: Double, _ sharp: Bool) -> Double {
    guard sharp else { return max(0, 1 - x) }
    if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
    return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
  }

  private static func quantise(
    _ values: UnsafeMutableBufferPointer<Double>, into rounded: UnsafeMutableBufferPointer<Int16>
  ) {
    let sum = values.reduce(0, +)
    guard sum > 0 else {
      rounded.initialize(repeating: 0)
      rounded[0] = 16384
      return
    }
    var (largest, total) = (0, 0)
    for index in values.indices {
      let weight = nearest(values[index] / sum * 16384)
      rounded.initializeElement(at: index, to: Int16(weight))
      total += weight
      if rounded[largest] < weight { largest = index }
    }
    guard abs(16384 - total) > mostAmiss else {
      rounded[largest] += Int16(16384 - total)
      return
    }
    // Thousands of weights of one or two units: carry each rounding error to the next weight.
    var (exact, told) = (0.0, 0)
    for index in values.indices {
      exact += values[index] / sum * 16384
      rounded[index] = Int16(nearest(exact) - told)
      told += Int(rounded[index])
    }
  }

  /// The largest sum of rounding errors that may change one weight, in 1/16384.
  private static let mostAmiss = 512

  // Equivalent to `rounded(.down)` and `rounded()`, without the calls of the mathematics library that processors without SSE4.1 need.

  private static func floor(_ value: Double) -> Int {
    let whole = Int(value)
    return Double(whole) > value ? whole - 1 : whole
  }

  private static func nearest(_ value: Double) -> Int {
    let whole = Int(value)
    let rest = value - Double(whole)
    return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole
  }
}

/// A separable vertical pass: `destination` row j is a weighted sum of source rows. Both planes are `width`
/// bytes wide. The horizontal pass is the same pass on the turned picture.
///
/// - Parameters:
///   - rows: the rows of the result to compute, the first of them as row 0 of `destination`; nil for all.
///   - isPlain: whether to avoid the instructions of newer processors, for comparison.
func resampleRows(
  _ source: Plane, into destination: Plane, width: Int, _ weights: ResampleWeights, rows: Range<Int>? = nil,
  isPlain: Bool = false
) {
  let rows = rows ?? weights.starts.indices
  weights.weights.withUnsafeBufferPointer { all in
    guard let base = all.baseAddress else { return }
    for row in rows {
      cpixel_weigh_rows(
        source.row(weights.starts[row]), source.bytesPerRow, base + row &* weights.taps, Int32(weights.taps),
        Int32(width), destination.row(row &- rows.lowerBound), isPlain)
    }
  }
}

/// Turns and mirrors a plane of `size` samples into `destination`, which has the oriented size.
func turn(_ source: Plane, _ size: PixelSize, orientation: Orientation, into destination: Plane) {
  // A mirror is a half-turn of the picture with its rows read from bottom to top.
  let mode = orientation.isMirrored ? orientation.rotation + .half : orientation.rotation
  let start = orientation.isMirrored ? source.row(size.height - 1) : source.pointer
  let stride = orientation.isMirrored ? -source.stride : source.stride
  RotatePlane(
    start, stride, destination.pointer, destination.stride, Int32(size.width), Int32(size.height), mode.libyuv
  )
}

extension Rotation {
  var libyuv: RotationMode { RotationMode(UInt32(rawValue)) }
}

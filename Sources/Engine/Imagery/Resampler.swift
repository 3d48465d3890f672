import CPixelMath
import CYUV

/// The weights that make each destination sample of one axis from neighbouring source samples.
struct ResampleWeights {
  /// First source index of each destination sample.
  var starts: [Int] = []
  /// `taps` weights for each destination sample, in 1/16384; each set sums to exactly 16384, so flat fields stay flat.
  var weights: [Int16] = []
  let taps: Int

  /// A tent as wide as a destination sample, or for `sharp` a Catmull–Rom cubic (Keys, IEEE ASSP 29(6), 1981, a = −½),
  /// stretched by `ratio` when reducing. Samples outside the picture repeat its edge.
  ///
  /// - Parameters:
  ///   - ratio: source samples a destination sample.
  ///   - phase: source coordinate of the destination's left edge.
  init(source: Int, destination: Int, ratio: Double, phase: Double, sharp: Bool) {
    let stretch = max(ratio, 1)
    let radius = stretch * (sharp ? 2 : 1)
    taps = min(source, Int((radius * 2).rounded(.up)))
    starts.reserveCapacity(destination)
    weights.reserveCapacity(destination * taps)
    for index in 0..<destination {
      let centre = phase + (Double(index) + 0.5) * ratio - 0.5
      // Samples strictly within the kernel: on its edge they weigh nothing.
      let first = Int((centre - radius).rounded(.down)) + 1
      let last = Int((centre + radius).rounded(.up)) - 1
      let start = min(max(first, 0), source - taps)
      var values = [Double](repeating: 0, count: taps)
      for tap in first...max(first, last) {
        let inside = min(max(tap, start), start + taps - 1)
        values[inside - start] += Self.kernel(abs(Double(tap) - centre) / stretch, sharp)
      }
      starts.append(start)
      weights += Self.quantised(values)
    }
  }

  private static func kernel(_ x: Double, _ sharp: Bool) -> Double {
    guard sharp else { return max(0, 1 - x) }
    if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
    return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
  }

  private static func quantised(_ values: [Double]) -> [Int16] {
    let sum = values.reduce(0, +)
    guard sum > 0 else { return [16384] + [Int16](repeating: 0, count: values.count - 1) }
    var rounded = values.map { Int16(($0 / sum * 16384).rounded()) }
    let largest = rounded.indices.max { rounded[$0] < rounded[$1] } ?? 0
    rounded[largest] += Int16(16384 - rounded.reduce(0) { $0 + Int($1) })
    return rounded
  }
}

/// One separable pass down the columns: `destination` row j is the weighted sum of source rows. Both planes are `width`
/// bytes wide. The way across is the same pass on the turned picture.
///
/// - Parameters:
///   - rows: which rows of the result to make, the first of them as row 0 of `destination`; nil for all.
///   - isPlain: without the instructions of newer processors, to compare with.
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
  // A mirror is a half-turn of the picture read from the bottom row up.
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

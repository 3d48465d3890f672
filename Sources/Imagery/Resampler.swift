import CYUV
import Glibc

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
/// - Parameter sums: memory for `width` sums.
func resampleRows(
  _ source: Plane, into destination: Plane, width: Int, _ weights: ResampleWeights,
  sums: UnsafeMutablePointer<Int32>
) {
  weights.weights.withUnsafeBufferPointer { all in
    guard let base = all.baseAddress else { return }
    for row in 0..<weights.starts.count {
      let rows = WeightedRows(
        first: source.row(weights.starts[row]), stride: source.bytesPerRow,
        weights: base + row &* weights.taps)
      rows.sum(weights.taps, width, sums, into: destination.row(row))
    }
  }
}

/// Consecutive rows and their weights.
private struct WeightedRows {
  let first: UnsafePointer<UInt8>
  let stride: Int
  let weights: UnsafePointer<Int16>

  func from(_ tap: Int) -> WeightedRows {
    WeightedRows(first: first + tap &* stride, stride: stride, weights: weights + tap)
  }

  /// Half a unit + Σ weight · sample in 1/16384, rounded down to codes. Four rows at a time; the last four go straight
  /// into the result.
  func sum(
    _ taps: Int, _ width: Int, _ sums: UnsafeMutablePointer<Int32>, into row: UnsafeMutablePointer<UInt8>
  ) {
    var tap = 0
    if taps > 4 {
      startFour(width, sums)
      tap = 4
    } else {
      for x in 0..<width { sums[x] = 8192 }
    }
    while taps &- tap > 4 {
      from(tap).addFour(width, sums)
      tap &+= 4
    }
    if taps &- tap == 4 { return from(tap).finishFour(width, sums, into: row) }
    while tap < taps {
      from(tap).addUpToTwo(min(2, taps &- tap), width, sums)
      tap &+= 2
    }
    narrow(sums, row, width)
  }

  // Products are summed in pairs, each loop in a function of its own: the compiler then multiplies and adds 16-bit pairs
  // in one instruction instead of multiplying 32-bit numbers, which SSE2 cannot.

  @inline(never)
  private func startFour(_ width: Int, _ sums: UnsafeMutablePointer<Int32>) {
    let (a, b, c, d) = (first, first + stride, first + 2 &* stride, first + 3 &* stride)
    let (p, q, r, s) = (Int32(weights[0]), Int32(weights[1]), Int32(weights[2]), Int32(weights[3]))
    for x in 0..<width {
      let pairs = (Int32(a[x]) &* p &+ Int32(b[x]) &* q) &+ (Int32(c[x]) &* r &+ Int32(d[x]) &* s)
      sums[x] = pairs &+ 8192
    }
  }

  @inline(never)
  private func addFour(_ width: Int, _ sums: UnsafeMutablePointer<Int32>) {
    let (a, b, c, d) = (first, first + stride, first + 2 &* stride, first + 3 &* stride)
    let (p, q, r, s) = (Int32(weights[0]), Int32(weights[1]), Int32(weights[2]), Int32(weights[3]))
    for x in 0..<width {
      sums[x] &+= (Int32(a[x]) &* p &+ Int32(b[x]) &* q) &+ (Int32(c[x]) &* r &+ Int32(d[x]) &* s)
    }
  }

  @inline(never)
  private func finishFour(
    _ width: Int, _ sums: UnsafePointer<Int32>, into row: UnsafeMutablePointer<UInt8>
  ) {
    let (a, b, c, d) = (first, first + stride, first + 2 &* stride, first + 3 &* stride)
    let (p, q, r, s) = (Int32(weights[0]), Int32(weights[1]), Int32(weights[2]), Int32(weights[3]))
    for x in 0..<width {
      let pairs = (Int32(a[x]) &* p &+ Int32(b[x]) &* q) &+ (Int32(c[x]) &* r &+ Int32(d[x]) &* s)
      row[x] = clampedToByte((sums[x] &+ pairs) &>> 14)
    }
  }

  @inline(never)
  private func addUpToTwo(_ count: Int, _ width: Int, _ sums: UnsafeMutablePointer<Int32>) {
    let (a, p) = (first, Int32(weights[0]))
    if count == 1 {
      for x in 0..<width { sums[x] &+= Int32(a[x]) &* p }
      return
    }
    let (b, q) = (first + stride, Int32(weights[1]))
    for x in 0..<width { sums[x] &+= Int32(a[x]) &* p &+ Int32(b[x]) &* q }
  }
}

@inline(never)
private func narrow(_ sums: UnsafePointer<Int32>, _ row: UnsafeMutablePointer<UInt8>, _ width: Int) {
  for x in 0..<width { row[x] = clampedToByte(sums[x] &>> 14) }
}

/// Turns and mirrors a plane of `size` samples into `destination`, which has the oriented size.
func turn(_ source: Plane, _ size: PixelSize, _ orientation: Orientation, into destination: Plane) {
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

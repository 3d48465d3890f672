import CYUV

/// A step of a plane's transform, in bands of the rows that it produces.
protocol RowStep {
  var bands: RowBands { get }
  /// The working memory of a band, in bytes.
  var memory: Int { get }
  /// The number of samples that the step reads.
  var area: Int { get }
  func perform(_ rows: Range<Int>, _ memory: UnsafeMutableRawPointer)
}

/// Averages 2×2 samples, `levels` times.
struct HalvingStep: RowStep {
  let source: Plane
  let size: PixelSize
  let levels: Int
  let destination: Plane

  var result: PixelSize { PixelSize(width: size.width >> levels, height: size.height >> levels) }
  var bands: RowBands { RowBands(result.height, rows: 64 >> levels) }
  var area: Int { size.area }
  var memory: Int { levels > 1 ? bytesPerRow * (min(bands.rows, result.height) << (levels - 1)) : 0 }
  private var bytesPerRow: Int { (size.width / 2).aligned(to: 64) }

  func perform(_ rows: Range<Int>, _ memory: UnsafeMutableRawPointer) {
    // Between two levels it may work in place: a row is read before its half is written.
    let between = Plane(base: memory, bytesPerRow: bytesPerRow, height: rows.count << (levels - 1))
    var from = source.from(row: rows.lowerBound << levels, byte: 0)
    for level in 1...levels {
      let to = level == levels ? destination.from(row: rows.lowerBound, byte: 0) : between
      let (width, height) = (Int32(size.width >> level), Int32(rows.count << (levels - level)))
      ScalePlane(
        from.pointer, from.stride, width * 2, height * 2, to.pointer, to.stride, width, height, kFilterBox)
      from = to
    }
  }
}

/// Weighted sums of rows, followed by a turn if there is one, while the rows are still in the cache.
struct WeighingStep: RowStep {
  let source: Plane
  /// The number of samples in a row.
  let width: Int
  let weights: ResampleWeights
  /// The turn of all resulting rows; nil for none.
  let orientation: Orientation?
  let destination: Plane

  var bands: RowBands { RowBands(weights.starts.count, rows: 64) }
  var area: Int { source.height * width }
  var memory: Int { orientation == nil ? 0 : bytesPerRow * min(bands.rows, bands.height) }
  private var bytesPerRow: Int { width.aligned(to: 64) }

  func perform(_ rows: Range<Int>, _ memory: UnsafeMutableRawPointer) {
    guard let orientation else {
      let result = destination.from(row: rows.lowerBound, byte: 0)
      return resampleRows(source, into: result, width: width, weights, rows: rows)
    }
    let sums = Plane(base: memory, bytesPerRow: bytesPerRow, height: rows.count)
    resampleRows(source, into: sums, width: width, weights, rows: rows)
    turn(
      sums, rows, of: PixelSize(width: width, height: bands.height), orientation: orientation,
      into: destination)
  }
}

/// A turn alone.
struct TurningStep: RowStep {
  let source: Plane
  let size: PixelSize
  let orientation: Orientation
  let destination: Plane

  var bands: RowBands { RowBands(size.height, rows: 64) }
  var area: Int { size.area }
  var memory: Int { 0 }

  func perform(_ rows: Range<Int>, _ memory: UnsafeMutableRawPointer) {
    turn(
      source.from(row: rows.lowerBound, byte: 0), rows, of: size, orientation: orientation, into: destination)
  }
}

/// Turns a band of a plane to its place.
/// - Parameters:
///   - band: the rows `rows` of a plane of `size`.
///   - destination: the whole plane.
private func turn(
  _ band: Plane, _ rows: Range<Int>, of size: PixelSize, orientation: Orientation, into destination: Plane
) {
  let isReversed = orientation.rotation == .clockwise90 || orientation.rotation == .half
  let place = isReversed ? size.height - rows.upperBound : rows.lowerBound
  let target =
    orientation.rotation.swapsAxes
    ? destination.from(row: 0, byte: place) : destination.from(row: place, byte: 0)
  turn(band, PixelSize(width: size.width, height: rows.count), orientation: orientation, into: target)
}

extension PhotoThreads {
  /// Runs steps that do not depend on each other.
  /// - Parameter scratch: memory for the bands of each thread.
  func perform(_ steps: [any RowStep], _ scratch: BandScratch) throws(ImageError) {
    let memory = try scratch.reserve(steps.reduce(0) { max($0, $1.memory) })
    let counts = steps.map { $0.bands.count }
    share(counts.reduce(0, +), area: steps.reduce(0) { $0 + $1.area }) { band, thread in
      var band = band
      for (step, count) in zip(steps, counts) {
        guard band >= count else { return step.perform(step.bands[band], memory.of(thread)) }
        band -= count
      }
    }
  }
}

/// Working memory for one band on each of two threads.
final class BandScratch {
  struct Pair {
    fileprivate let caller: UnsafeMutableRawPointer
    fileprivate let helper: UnsafeMutableRawPointer

    func of(_ thread: BandThread) -> UnsafeMutableRawPointer { thread == .caller ? caller : helper }
  }

  private let scratch = Scratch()

  /// Provides at least `count` bytes for each thread, 64-byte aligned. The previous reservation becomes invalid.
  func reserve(_ count: Int) throws(ImageError) -> Pair {
    let each = max(count, 64).aligned(to: 64)
    let base = try scratch.reserve(each * 2)
    return Pair(caller: base, helper: base + each)
  }
}

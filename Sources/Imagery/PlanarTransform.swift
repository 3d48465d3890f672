import CYUV

/// Scales and turns planes in one go: the pass down, the turn, the pass across (as a pass down on the turned plane). The
/// turn that the separable filter needs anyway is the one the picture needs. One thread at a time; the result is valid
/// until the next call.
final class PlanarTransform {
  private let halves = Scratch()
  private let first = Scratch()
  private let second = Scratch()
  private let third = Scratch()
  private let output = Scratch()
  private let sums = Scratch()

  /// - Parameters:
  ///   - size: of the result before it is turned.
  ///   - sampling: of the result; chroma sites stay centred on their luma (JPEG, MPEG-1).
  /// - Returns: planes in memory of this object, even when nothing had to be done.
  func apply(
    _ image: PlanarImage, size: PixelSize, sampling: ChromaSampling, orientation: Orientation,
    priority: PhotoPriority = .balanced
  ) throws(ImageError) -> PlanarImage {
    let sampling = image.sampling.isMonochrome ? .monochrome : sampling
    let result = try output.planar(orientation.applied(to: size), sampling, image.color)
    for index in image.planes.indices {
      let here = index == 0 ? ChromaSampling.s444 : image.sampling
      let there =
        index == 0 ? ChromaSampling.s444 : orientation.rotation.swapsAxes ? sampling.transposed : sampling
      let source = image.planeSize(index)
      let job = Job(
        source: source,
        destination: there.chromaSize(size),
        width: Double(image.size.width) / Double(here.horizontal),
        height: Double(image.size.height) / Double(here.vertical),
        ratioX: Double(image.size.width * there.horizontal) / Double(size.width * here.horizontal),
        ratioY: Double(image.size.height * there.vertical) / Double(size.height * here.vertical),
        orientation: orientation, isSharp: index == 0 && priority.isSharp,
        halvingRatio: priority.halvingRatio)
      try run(job, image.planes[index], into: result.planes[index])
    }
    return result
  }

  /// Whether `apply` would halve the chroma of such a picture, without a turn, before it does anything else.
  static func halvesChroma(
    of source: PixelSize, _ here: ChromaSampling, to size: PixelSize, _ there: ChromaSampling,
    _ priority: PhotoPriority
  ) -> Bool {
    let across = Double(source.width * there.horizontal) / Double(size.width * here.horizontal)
    let down = Double(source.height * there.vertical) / Double(size.height * here.vertical)
    return min(across, down) > priority.halvingRatio
  }

  /// Whether `apply` would make the chroma of such a picture less than half as high, without a turn.
  static func halvesChromaRows(
    of source: PixelSize, _ here: ChromaSampling, to size: PixelSize, _ there: ChromaSampling,
    _ priority: PhotoPriority
  ) -> Bool {
    Double(source.height * there.vertical) / Double(size.height * here.vertical) > priority.halvingRatio
  }

  /// Memory for `count` sums.
  func sums(_ count: Int) throws(ImageError) -> UnsafeMutablePointer<Int32> {
    try sums.reserve(count * 4).assumingMemoryBound(to: Int32.self)
  }

  private func run(_ job: Job, _ plane: Plane, into result: Plane) throws(ImageError) {
    if job.isTurnOnly { return turn(plane, job.source, job.orientation, into: result) }
    let (plane, job) = try halve(plane, job)
    let (source, destination) = (job.source, job.destination)
    let down = PixelSize(width: source.width, height: destination.height)
    let scaledDown = try scratchPlane(first, down)
    resampleRows(plane, into: scaledDown, width: source.width, job.weightsDown)
    let turned = try scratchPlane(second, down.transposed)
    turn(scaledDown, down, job.middleTurn, into: turned)
    guard let last = job.lastTurn else {
      return resampleRows(turned, into: result, width: destination.height, job.weightsAcross)
    }
    let scaled = try scratchPlane(third, destination.transposed)
    resampleRows(turned, into: scaled, width: destination.height, job.weightsAcross)
    turn(scaled, destination.transposed, last, into: result)
  }

  /// Averages 2×2 samples as long as more than twice the resolution wanted would be left.
  private func halve(_ plane: Plane, _ job: Job) throws(ImageError) -> (Plane, Job) {
    var (plane, job) = (plane, job)
    while min(job.ratioX, job.ratioY) > job.halvingRatio, job.source.shortSide >= 2 {
      let half = PixelSize(width: job.source.width / 2, height: job.source.height / 2)
      // Each halving may be made in place: a row is read before its half is written.
      let smaller = try scratchPlane(halves, half)
      ScalePlane(
        plane.pointer, plane.stride, Int32(half.width * 2), Int32(half.height * 2), smaller.pointer,
        smaller.stride, Int32(half.width), Int32(half.height), kFilterBox)
      plane = smaller
      job.source = half
      job.width /= 2
      job.height /= 2
      job.ratioX /= 2
      job.ratioY /= 2
    }
    return (plane, job)
  }

  private func scratchPlane(_ scratch: Scratch, _ size: PixelSize) throws(ImageError) -> Plane {
    let bytesPerRow = size.width.aligned(to: 64)
    return Plane(
      base: try scratch.reserve(bytesPerRow * size.height), bytesPerRow: bytesPerRow, height: size.height)
  }
}

/// The geometry of one plane's way through the transform.
private struct Job {
  /// Samples that are there, and samples wanted before the turn.
  var source: PixelSize
  var destination: PixelSize
  /// The picture's true extent in source samples; chroma of odd sizes covers a little more.
  var width: Double
  var height: Double
  /// Source samples a destination sample.
  var ratioX: Double
  var ratioY: Double
  let orientation: Orientation
  let isSharp: Bool
  /// Above it four samples are averaged first.
  let halvingRatio: Double

  var isTurnOnly: Bool { ratioX == 1 && ratioY == 1 && source == destination }

  /// The transpose needs no flip, so that a picture that keeps its axes is flipped last.
  private static let transpose = Orientation(rotation: .clockwise270, isMirrored: true)

  var middleTurn: Orientation { orientation.rotation.swapsAxes ? orientation : Self.transpose }
  var lastTurn: Orientation? {
    orientation.rotation.swapsAxes ? nil : Self.transpose.followed(by: orientation)
  }

  // Which source axes the orientation reverses.
  private var flipsX: Bool {
    orientation.isMirrored != (orientation.rotation == .half || orientation.rotation == .clockwise270)
  }
  private var flipsY: Bool { orientation.rotation == .clockwise90 || orientation.rotation == .half }

  /// Rows are chosen before any flip: a flipped picture's first sample starts at the far edge.
  var weightsDown: ResampleWeights {
    ResampleWeights(
      source: source.height, destination: destination.height, ratio: ratioY,
      phase: flipsY ? height - Double(destination.height) * ratioY : 0, sharp: isSharp)
  }

  /// Columns are chosen after the middle turn, before the last.
  var weightsAcross: ResampleWeights {
    let later = width - Double(destination.width) * ratioX
    let already = Double(source.width) - width
    return ResampleWeights(
      source: source.width, destination: destination.width, ratio: ratioX,
      phase: flipsX ? (lastTurn == nil ? already : later) : 0, sharp: isSharp)
  }
}

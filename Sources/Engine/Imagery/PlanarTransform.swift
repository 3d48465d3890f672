/// Scales and turns planes together: a vertical pass, the turn, and the horizontal pass (as a vertical pass on the turned plane). The
/// separable filter needs a turn anyway, and the picture's own turn is used for it. One thread at a time; the result is valid
/// until the next call.
final class PlanarTransform {
  private let halves = [Scratch(), Scratch(), Scratch()]
  private let turned = [Scratch(), Scratch(), Scratch()]
  private let output = Scratch()
  private let recolors = Scratch()
  private let bands = BandScratch()
  private let threads: PhotoThreads

  /// - Parameter threads: the threads that process bands of all planes.
  init(threads: PhotoThreads = PhotoThreads(.never)) { self.threads = threads }

  /// - Parameters:
  ///   - size: the size of the result before the turn.
  ///   - sampling: the sampling of the result; chroma sites stay centred on their luma (JPEG, MPEG-1).
  /// - Returns: planes in memory of this object, even if nothing had to be done.
  func apply(
    _ image: PlanarImage, size: PixelSize, sampling: ChromaSampling, orientation: Orientation,
    priority: PhotoPriority = .balanced
  ) throws(ImageError) -> PlanarImage {
    let sampling = image.sampling.isMonochrome ? .monochrome : sampling
    let result = try output.planar(orientation.applied(to: size), sampling, color: image.color)
    var ways = [Way]()
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
      ways.append(try way(index, job, plane: image.planes[index], result: result.planes[index]))
    }
    try threads.perform(ways.compactMap { $0.halving }, bands)
    try threads.perform(ways.compactMap { $0.down }, bands)
    try threads.perform(ways.map { $0.last }, bands)
    return result
  }

  /// Whether `apply`, without a turn, would begin by halving the chroma of a picture of size `source` and sampling `here`.
  static func halvesChroma(
    of source: PixelSize, _ here: ChromaSampling, to size: PixelSize, _ there: ChromaSampling,
    priority: PhotoPriority
  ) -> Bool {
    let across = Double(source.width * there.horizontal) / Double(size.width * here.horizontal)
    let down = Double(source.height * there.vertical) / Double(size.height * here.vertical)
    return min(across, down) > priority.halvingRatio
  }

  /// Whether `apply`, without a turn, would reduce the height of the chroma of a picture of size `source` and sampling `here` by more than
  /// `priority.halvingRatio`.
  static func halvesChromaRows(
    of source: PixelSize, _ here: ChromaSampling, to size: PixelSize, _ there: ChromaSampling,
    priority: PhotoPriority
  ) -> Bool {
    Double(source.height * there.vertical) / Double(size.height * here.vertical) > priority.halvingRatio
  }

  /// - Returns: the picture itself if it has the colours already; otherwise planes that are valid until the next call.
  func recolored(_ image: PlanarImage, to color: ColorDescription) throws(ImageError) -> PlanarImage {
    guard image.color != color else { return image }
    let result = try recolors.planar(image.size, image.sampling, color: color)
    try Recolor(from: image.color, to: color).apply(image, into: result, threads: threads, bands)
    return result
  }

  /// The steps for one plane; each needs the result of the previous one.
  private struct Way {
    var halving: HalvingStep?
    var down: WeighingStep?
    var last: any RowStep
  }

  private func way(
    _ index: Int, _ job: Job, plane: Plane, result: Plane
  ) throws(ImageError) -> Way {
    if job.isTurnOnly {
      return Way(
        last: TurningStep(
          source: plane, size: job.source, orientation: job.orientation, destination: result))
    }
    let (halving, job) = try halve(index, plane, job: job)
    let (source, destination) = (job.source, job.destination)
    let size = PixelSize(width: destination.height, height: source.width)
    let turned = try scratchPlane(turned[index], size)
    return Way(
      halving: halving,
      down: WeighingStep(
        source: halving?.destination ?? plane, width: source.width, weights: job.weightsDown,
        orientation: job.middleTurn, destination: turned),
      last: WeighingStep(
        source: turned, width: size.width, weights: job.weightsAcross, orientation: job.lastTurn,
        destination: result))
  }

  /// Averages 2×2 samples as long as the source has more than `halvingRatio` times the wanted resolution.
  private func halve(_ index: Int, _ plane: Plane, job: Job) throws(ImageError) -> (HalvingStep?, Job) {
    var (job, levels) = (job, 0)
    let size = job.source
    while min(job.ratioX, job.ratioY) > job.halvingRatio, job.source.shortSide >= 2 {
      job.source = PixelSize(width: job.source.width / 2, height: job.source.height / 2)
      job.width /= 2
      job.height /= 2
      job.ratioX /= 2
      job.ratioY /= 2
      levels += 1
    }
    guard levels > 0 else { return (nil, job) }
    let half = try scratchPlane(halves[index], job.source)
    return (HalvingStep(source: plane, size: size, levels: levels, destination: half), job)
  }

  private func scratchPlane(_ scratch: Scratch, _ size: PixelSize) throws(ImageError) -> Plane {
    let bytesPerRow = size.width.aligned(to: 64)
    return Plane(
      base: try scratch.reserve(bytesPerRow * size.height), bytesPerRow: bytesPerRow, height: size.height)
  }
}

/// The geometry of one plane's transform.
private struct Job {
  /// The size of the source, in samples.
  var source: PixelSize
  /// The wanted size before the turn, in samples.
  var destination: PixelSize
  /// The picture's true width in source samples; chroma of odd widths covers a little more.
  var width: Double
  /// The picture's true height in source samples; chroma of odd heights covers a little more.
  var height: Double
  /// The number of source samples per destination sample, horizontally.
  var ratioX: Double
  /// The number of source samples per destination sample, vertically.
  var ratioY: Double
  let orientation: Orientation
  let isSharp: Bool
  /// The ratio above which four samples are averaged first.
  let halvingRatio: Double

  var isTurnOnly: Bool { ratioX == 1 && ratioY == 1 && source == destination }

  /// The transpose needs no flip; a picture that keeps its axes is flipped at the end.
  private static let transpose = Orientation(rotation: .clockwise270, isMirrored: true)

  var middleTurn: Orientation { orientation.rotation.swapsAxes ? orientation : Self.transpose }
  var lastTurn: Orientation? {
    orientation.rotation.swapsAxes ? nil : Self.transpose.followed(by: orientation)
  }

  // The source axes that the orientation reverses.
  private var flipsX: Bool {
    orientation.isMirrored != (orientation.rotation == .half || orientation.rotation == .clockwise270)
  }
  private var flipsY: Bool { orientation.rotation == .clockwise90 || orientation.rotation == .half }

  /// The weights of rows. They are applied before any flip, so the first sample of a flipped picture begins at the far edge.
  var weightsDown: ResampleWeights {
    ResampleWeights(
      source: source.height, destination: destination.height, ratio: ratioY,
      phase: flipsY ? height - Double(destination.height) * ratioY : 0, sharp: isSharp)
  }

  /// The weights of columns. They are applied after the middle turn and before the last one.
  var weightsAcross: ResampleWeights {
    let later = width - Double(destination.width) * ratioX
    let already = Double(source.width) - width
    return ResampleWeights(
      source: source.width, destination: destination.width, ratio: ratioX,
      phase: flipsX ? (lastTurn == nil ? already : later) : 0, sharp: isSharp)
  }
}

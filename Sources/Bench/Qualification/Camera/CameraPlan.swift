import Capture
import Harness
import Imagery
import Video4Linux

/// The selection of a camera's claims that are tried, and the modes for particular purposes.
struct CameraPlan: Sendable {
  let claims: CameraClaims
  /// The modes that are streamed and whose pictures are checked.
  let streamed: [CameraMode]
  /// The modes that are only set: their formats cannot be read by the engine, so their pictures cannot be judged.
  let onlySet: [CameraMode]
  /// The mode that a session would choose by itself. Photos are taken in it.
  let main: CameraMode
  /// The smallest mode that costs the engine least, at its fastest: measurements in it show the device rather than the machine.
  let light: CameraMode

  /// Maximum number of claims that are streamed in a short run.
  private static let shortLimit = 12
  /// Maximum number of pixels of a mode in a short run.
  private static let shortArea = 1920 * 1080
  /// The slowest rate that is tried in a short run, in frames per second.
  private static let slowest = 10.0

  /// Creates a plan with one mode for all purposes, and nothing to stream.
  init(claiming format: VideoFormat) {
    claims = CameraClaims(current: format)
    streamed = []
    onlySet = []
    main = CameraMode(fourCC: format.fourCC, size: format.size)
    light = main
  }

  init(_ claims: CameraClaims, duration: RunDuration) throws {
    self.claims = claims
    let readable = claims.formats.filter(\.isReadable)
    let all = readable.flatMap { format in
      format.sizes.flatMap { size in Self.modes(format.description.fourCC, size, claims: claims) }
    }
    guard let light = Self.light(among: all), let main = Self.main(among: all) else {
      throw Unsupported(
        "the camera offers no format that the engine can read; `swiftwing devices` lists what it offers")
    }
    self.light = light
    self.main = main
    streamed = duration == .short ? Self.chosen(readable, claims, wanted: [main, light]) : all
    onlySet = claims.formats.filter { !$0.isReadable }.flatMap { format in
      (duration == .short ? Array(format.sizes.prefix(1)) : format.sizes).map {
        CameraMode(fourCC: format.description.fourCC, size: $0)
      }
    }
  }

  private static func modes(_ fourCC: FourCC, _ size: FrameSize, claims: CameraClaims) -> [CameraMode] {
    let picture = CameraMode(fourCC: fourCC, size: size)
    let intervals = claims.intervals(of: picture)
    guard !intervals.isEmpty else { return [picture] }
    return intervals.map { CameraMode(fourCC: fourCC, size: size, interval: $0) }
  }

  /// Returns, for each format, the smallest size and the size nearest to 720p, both at their fastest rate, and the smallest size also at a
  /// slower rate.
  private static func chosen(
    _ formats: [CameraClaims.Format], _ claims: CameraClaims, wanted: [CameraMode]
  ) -> [CameraMode] {
    var chosen = wanted
    func add(_ mode: CameraMode) {
      if !chosen.contains(mode), chosen.count < shortLimit { chosen.append(mode) }
    }
    for format in formats {
      let sizes = format.sizes.filter { $0.area <= shortArea }.sorted { $0.area < $1.area }
      guard let smallest = sizes.first ?? format.sizes.min(by: { $0.area < $1.area }) else { continue }
      let middle = sizes.min { abs($0.area - 921_600) < abs($1.area - 921_600) } ?? smallest
      let paces = modes(format.description.fourCC, smallest, claims: claims)
      if let fastest = paces.first { add(fastest) }
      if let slower = paces.dropFirst().last(where: { $0.framesPerSecond >= slowest }) { add(slower) }
      if let fastest = modes(format.description.fourCC, middle, claims: claims).first { add(fastest) }
    }
    return chosen
  }

  private static func light(among modes: [CameraMode]) -> CameraMode? {
    // Pictures that are too small show little; rates that are too slow make the run long.
    let seen = modes.filter { $0.size.area >= 160 * 120 }
    let quick = (seen.isEmpty ? modes : seen).filter { $0.interval == nil || $0.framesPerSecond >= slowest }
    return (quick.isEmpty ? modes : quick).min { $0.lightness.lexicographicallyPrecedes($1.lightness) }
  }

  private static func main(among modes: [CameraMode]) -> CameraMode? {
    let pairs = modes.compactMap { mode in mode.cameraFormat.map { (mode: mode, format: $0) } }
    let best = FormatFinder().best(of: pairs.map(\.format))
    return pairs.first { $0.format == best }?.mode
  }
}

extension FrameSize {
  var area: Int { width * height }
}

extension CameraMode {
  var framesPerSecond: Double { interval?.framesPerSecond ?? 30 }

  /// The sort key for the cost to the engine: raw before compressed, small before large, fast before slow.
  fileprivate var lightness: [Double] {
    let isCompressed = PixelFormat(fourCC)?.isCompressed ?? true
    let isGrey = PixelFormat(fourCC) == .grey
    return [isCompressed ? 1 : 0, isGrey ? 1 : 0, Double(size.area), -framesPerSecond]
  }

  /// The mode in the terms of a session.
  fileprivate var cameraFormat: CameraFormat? {
    guard let format = PixelFormat(fourCC) else { return nil }
    let pace = interval.map { ($0.numerator, $0.denominator) } ?? (1, 30)
    return CameraFormat(
      image: ImageFormat(
        pixelFormat: format, size: PixelSize(width: size.width, height: size.height),
        color: ColorDescription(matrix: .bt601, range: .limited)),
      frameInterval: FrameInterval(numerator: Int(pace.0), denominator: Int(pace.1)))
  }
}

import Capture
import Harness
import Imagery
import System
import Video4Linux

/// Which of a camera's claims are tried, and which mode serves for what.
struct CameraPlan: Sendable {
  let claims: CameraClaims
  /// Streamed and looked at.
  let streamed: [CameraMode]
  /// Only set: of formats that the engine cannot read, whose pictures nobody could judge.
  let onlySet: [CameraMode]
  /// What a session would choose by itself: photos are taken in it.
  let main: CameraMode
  /// The smallest picture that costs the engine least, at its fastest: what is measured in it is the device rather than the machine.
  let light: CameraMode

  /// Claims that are streamed at most when the run is to be short.
  private static let shortLimit = 12
  /// The most pixels of a mode in a short run.
  private static let shortArea = 1920 * 1080
  /// Slower than this is not tried in a short run, frames a second.
  private static let slowest = 10.0

  /// One mode for everything, and nothing streamed.
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
      throw Unsupported("it offers no format that the engine can read")
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

  /// The smallest and the nearest to 720p of each format at its fastest, the smallest at a slower pace too.
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
    // Too small a picture says little; too slow a pace makes the run long.
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

  /// What costs the engine least comes first: raw before compressed, small before large, fast before slow.
  fileprivate var lightness: [Double] {
    let isCompressed = PixelFormat(fourCC)?.isCompressed ?? true
    let isGrey = PixelFormat(fourCC) == .grey
    return [isCompressed ? 1 : 0, isGrey ? 1 : 0, Double(size.area), -framesPerSecond]
  }

  /// As the session knows it.
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

public import Capture
import Corpora
import Imagery
import System
import Video4Linux

/// A user's specification of a camera: `/dev/video0`, `corpus:shelf-pan`, `simulated:1280x720@60`, `sensor:640x360@30`, each with options after a
/// question mark, `key=value` joined by `&`.
///
/// ```swift
/// let source = try SourceSpecification("/dev/video0?size=1280x720")
///   .makeSource(corpusRoots: CorpusRoots.standard())
/// ```
///
/// - `corpus:NAME-or-path` — `format=NV12|YUYV|…`, `pace=recorded|fast`, `speed=1…100`, `seconds=N`, `loop=1`
/// - `/dev/…`, a node or a stable name — `format=` a four-character code, `size=WxH`, `fps=N`, also 29.97, `input=N`, `mount=0|90|180|270`,
///   `front=0|1`; size and rate are met or refused, mount and front override those of the driver
/// - `simulated:WxH@FPS` — `format=…`, `mount=0|90|180|270`, `front=1`, `frames=N`
/// - `simulated:WxH@FPS?dock=absolute|speed`, a camera with motors in a world larger than its picture — `battery=0…100`, `frames=N`
/// - `sensor:WxH@FPS`, a camera with physics — `ev=-6…20` the light at ISO 100, `kelvin=2200…15000` its colour, `mount=`, `front=1`, `frames=N`
public struct SourceSpecification: Sendable {
  /// The text, as the user wrote it.
  public let text: String
  let kind: String
  let subject: String
  let options: [(key: String, value: String)]

  /// Parses a specification; nothing is opened.
  /// - Throws: `notFound` if it names no kind of source, `invalidSource` if an option is malformed.
  public init(_ text: String) throws(CameraError) {
    self.text = text
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let source = halves.first.map(String.init) ?? ""
    if source.hasPrefix("/dev/") {
      kind = "device"
      subject = source
    } else if let colon = source.firstIndex(of: ":") {
      kind = String(source[..<colon])
      subject = String(source[source.index(after: colon)...])
    } else {
      throw .notFound(text, remedy: SourceSpecification.remedy)
    }
    options = try SourceSpecification.options(halves.count > 1 ? String(halves[1]) : "", of: text)
  }

  static let remedy =
    "a source is /dev/videoN, corpus:NAME, simulated:WxH@FPS or sensor:WxH@FPS; `swiftwing devices` lists what is here"

  private static func options(_ text: String, of whole: String) throws(CameraError) -> [(String, String)] {
    var options: [(String, String)] = []
    for option in text.split(separator: "&") {
      let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw .invalidSource(whole, reason: "the option \(option.prefix(40)) has no value; write key=value")
      }
      options.append((String(parts[0]), String(parts[1])))
    }
    return options
  }

  /// Creates the camera source that the specification names.
  /// - Parameter roots: the folders in which corpora are searched, in their order; evaluated only for a corpus.
  public func makeSource(corpusRoots roots: @autoclosure () -> [String]) throws(CameraError)
    -> any CameraSource
  {
    switch kind {
    case "corpus": try replay(roots())
    case "simulated": try simulated()
    case "sensor": try sensor()
    case "device": try device()
    default: throw .notFound(text, remedy: SourceSpecification.remedy)
    }
  }

  private func replay(_ roots: [String]) throws(CameraError) -> ReplaySource {
    let corpus: Corpus
    do throws(CorpusError) { corpus = try Corpus.find(subject, searching: roots) } catch {
      switch error.kind {
      case .notFound:
        throw noCorpus
      case .system: throw .failed(text, reason: error.clause)
      default: throw .invalidSource(text, reason: error.clause)
      }
    }
    var replay = ReplayOptions()
    for (key, value) in options {
      switch key {
      case "format": replay.pixelFormat = try pixelFormat(value)
      case "pace": replay.pace = try choice(key, value, found: ReplayOptions.Pace(rawValue: value))
      case "speed":
        replay.speed = try choice(key, value, found: Int(value).flatMap { (1...100).contains($0) ? $0 : nil })
      case "seconds":
        replay.seconds = try choice(
          key, value, found: Int(value).flatMap { (1...3600).contains($0) ? $0 : nil })
      case "loop": replay.loops = try flag(key, value)
      default: throw unknown(key)
      }
    }
    return ReplaySource(corpus: corpus, options: replay)
  }

  /// The error for a missing corpus, which is a folder and not a camera.
  private var noCorpus: CameraError {
    let remedy =
      subject.holds("/")
      ? "name a folder that has a corpus.json"
      : "see `swiftwing corpus list` for the names, or give the path of its folder with a slash"
    return CameraError(
      .notFound, source: text, description: "cannot open \(text): there is no such corpus; \(remedy)")
  }

  private func simulated() throws(CameraError) -> any CameraSource {
    if options.contains(where: { $0.key == "dock" }) { return try dock() }
    var source = SimulatedSource()
    if !subject.isEmpty { (source.size, source.frameInterval) = try geometry() }
    for (key, value) in options {
      switch key {
      case "format": source.pixelFormat = try pixelFormat(value)
      case "mount":
        source.mount.orientation.rotation = try choice(key, value, found: rotation(value))
      case "front":
        source.mount.isFrontFacing = try flag(key, value)
        source.mount.orientation.isMirrored = source.mount.isFrontFacing
      case "frames":
        source.frameLimit = try choice(key, value, found: Int(value).flatMap { $0 > 0 ? $0 : nil })
      default: throw unknown(key)
      }
    }
    return source
  }

  private func dock() throws(CameraError) -> DockSource {
    var source = DockSource()
    if !subject.isEmpty { (source.size, source.frameInterval) = try geometry() }
    for (key, value) in options {
      switch key {
      case "dock": source.model.kind = try choice(key, value, found: DockModel.Kind(rawValue: value))
      case "battery":
        let percent = try choice(key, value, found: Int(value).flatMap { (0...100).contains($0) ? $0 : nil })
        source.model.battery = Double(percent) / 100
      case "frames":
        source.frameLimit = try choice(key, value, found: Int(value).flatMap { $0 > 0 ? $0 : nil })
      default: throw unknown(key)
      }
    }
    return source
  }

  private func sensor() throws(CameraError) -> SensorSource {
    var source = SensorSource(size: PixelSize(width: 1280, height: 720))
    if !subject.isEmpty {
      let (size, interval) = try geometry()
      source.size = size
      source.rates = [interval] + source.rates.filter { $0 != interval }
    }
    for (key, value) in options {
      switch key {
      case "ev":
        let light = try choice(key, value, found: Double(value).flatMap { (-6...20).contains($0) ? $0 : nil })
        source.scene.setLight(light, at: MonotonicTime(nanoseconds: .min / 4))
      case "kelvin":
        source.scene.temperature = try choice(
          key, value, found: Double(value).flatMap { (2200...15_000).contains($0) ? $0 : nil })
      case "mount": source.mount.orientation.rotation = try choice(key, value, found: rotation(value))
      case "front":
        source.mount.isFrontFacing = try flag(key, value)
        source.mount.orientation.isMirrored = source.mount.isFrontFacing
      case "frames":
        source.frameLimit = try choice(key, value, found: Int(value).flatMap { $0 > 0 ? $0 : nil })
      default: throw unknown(key)
      }
    }
    return source
  }

  private func geometry() throws(CameraError) -> (PixelSize, FrameInterval) {
    let parts = subject.split(whereSeparator: { PixelSize.isTimes($0) || $0 == "@" }).map { Int($0) }
    if let rate = subject.split(separator: "@").dropFirst().first, rate.contains("."), Double(rate) != nil {
      throw .invalidSource(
        text,
        reason: "the frame rate must be a whole number from 1 to 240, and \(rate.prefix(20)) is not")
    }
    guard (2...3).contains(parts.count), let width = parts[0], let height = parts[1],
      case let rate = parts.count == 3 ? parts[2] : 60, let rate, (64...8192).contains(width),
      (64...8192).contains(height), (1...240).contains(rate), width % 2 == 0, height % 2 == 0
    else {
      throw .invalidSource(
        text, reason: "the size must be WxH@FPS with even sides from 64 to 8192 and 1 to 240 frames a second")
    }
    return (PixelSize(width: width, height: height), FrameInterval(framesPerSecond: rate))
  }

  private func device() throws(CameraError) -> V4L2Source {
    var request = V4L2Request()
    for (key, value) in options {
      switch key {
      case "format":
        request.fourCC = try choice(key, value, found: fourCC(value))
      case "size": request.size = try choice(key, value, found: pixelSize(value))
      case "fps":
        request.framesPerSecond = try choice(
          key, value, found: Double(value).flatMap { (0.1...1000).contains($0) ? $0 : nil })
      case "black": request.blackLevel = try choice(key, value, found: Int(value))
      case "input":
        request.input = try choice(key, value, found: Int(value).flatMap { (0..<64).contains($0) ? $0 : nil })
      case "mount":
        request.orientation = Orientation(rotation: try choice(key, value, found: rotation(value)))
      case "front": request.isFrontFacing = try flag(key, value)
      default: throw unknown(key)
      }
    }
    var source = V4L2Source(path: subject, request: request)
    source.specification = text
    return source
  }

  /// The code of a format that the engine can read. Its name may be written in small letters, without the spaces at its end, and with `-BE`.
  private func fourCC(_ name: String) -> FourCC? {
    let isBigEndian = name.uppercased().hasSuffix("-BE")
    let letters = isBigEndian ? String(name.dropLast(3)) : name
    let codes = [letters, letters.uppercased()].compactMap { letters in
      FourCC(letters + String(repeating: " ", count: max(0, 4 - letters.utf8.count)))
    }
    return codes.map { isBigEndian ? $0.bigEndian : $0 }.first { PixelFormat($0) != nil }
  }

  private func pixelSize(_ value: String) -> PixelSize? {
    PixelSize(value).flatMap { $0.longSide <= ImageLimits.side ? $0 : nil }
  }

  private func rotation(_ value: String) -> Rotation? { Int(value).flatMap(Rotation.init(rawValue:)) }

  private func pixelFormat(_ value: String) throws(CameraError) -> PixelFormat {
    try choice("format", value, found: PixelFormat.allCases.first { $0.rawValue == value.uppercased() })
  }

  private func flag(_ key: String, _ value: String) throws(CameraError) -> Bool {
    try choice(key, value, found: ["1": true, "0": false][value])
  }

  private func choice<Value>(_ key: String, _ value: String, found: Value?) throws(CameraError) -> Value {
    guard let found else {
      throw .invalidSource(
        text,
        reason:
          "the option \(key) does not take the value \(value.prefix(40)); docs/corpora.md lists what it takes"
      )
    }
    return found
  }

  private func unknown(_ key: String) -> CameraError {
    .invalidSource(
      text,
      reason:
        "there is no option \(key.prefix(40)) for this kind of source; docs/corpora.md lists the options of each"
    )
  }
}

import Capture
public import Harness
import Imagery
import Locking

/// CTL-8, PHO-4: which of a camera's formats is chosen.
public struct NearestFormat: Scenario {
  public let id = "photo.nearest-format"
  public let suite = Suite.photo
  public let title = "The nearest format"
  public let purpose =
    "A webcam offers dozens of formats; one too small cannot be read, one too large is slow, and one of another shape is cropped."
  public let exampleFailure = "An engine that takes the first format a camera offers: 160×120, on some."
  public let requirements: [RequirementID] = ["CTL-8", "PHO-4"]
  private let rig: Rig

  public init(rig: Rig) { self.rig = rig }

  private static let offers = 2000

  public func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let (small, near, far) = (
      Offer.format(640, 360, 30), Offer.format(1024, 576, 30), Offer.format(1280, 960, 30)
    )
    let judge = FormatJudge(size: PixelSize(width: 1280, height: 720), framesPerSecond: 30)
    guard judge.best(of: [small, near, far]) == near, judge.best(of: [far, small]) == far,
      judge.best(of: [Offer.format(1280, 720, 15), small]) == small, judge.best(of: []) == nil
    else { return .failed("by hand another format is nearest to 1280×720 at 30 frames a second") }
    var random = SplitMix64(seed: context.seed)
    let first = (0..<200).count { _ in
      let offer = Offer(&random)
      return offer.judge.best(of: offer.formats) != offer.formats.first
    }
    guard first > 100 else {
      return .failed("the first format offered passed for the nearest in \(200 - first) of 200")
    }
    return .passed(
      "four offers were judged as by hand; the first format is not the nearest in \(first) of 200 offers")
  }

  public func run(_ context: ScenarioContext) async throws -> Observation {
    var random = SplitMix64(seed: context.seed)
    let offers = (0..<Self.offers).map { _ in Offer(&random) }
    let wrong = offers.filter { $0.finder.best(of: $0.formats) != $0.judge.best(of: $0.formats) }
    let query = Check(
      id: "\(id).query", title: "Of all the formats offered the nearest is found", passed: wrong.isEmpty,
      subjects: offers.count, detail: wrong.first?.sentence ?? "\(offers.count) offers of up to 24 formats",
      requirement: "CTL-8")
    return Observation(
      checks: [query] + (try await played(Array(offers.prefix(20)))),
      notes: ["Every format is held against every other, in ratios; the engine ranks them by logarithms."])
  }

  /// The same through a session, to the frames and a photo.
  private func played(_ offers: [Offer]) async throws -> [Check] {
    var (chosen, delivered, photos): ([String], [String], [String]) = ([], [], [])
    for offer in offers {
      let wanted = offer.judge.best(of: offer.formats)
      let seen = try await FormatPlay(rig: rig, offer: offer).seen()
      if seen.format != wanted { chosen.append("\(offer.sentence); the session says \(name(seen.format))") }
      if seen.frame != wanted?.image.size {
        delivered.append("\(name(wanted)) was due and \(seen.frame?.description ?? "nothing") came")
      }
      let largest = wanted.map { min(1024, $0.image.size.longSide) }
      if seen.photo?.longSide != largest {
        photos.append("\(name(wanted)) became a photo of \(seen.photo?.description ?? "nothing")")
      }
    }
    func check(_ name: String, _ title: String, _ mistakes: [String], _ requirement: RequirementID) -> Check {
      Check(
        id: "\(id).\(name)", title: title, passed: mistakes.isEmpty, subjects: offers.count,
        detail: mistakes.first ?? "\(offers.count) cameras", requirement: requirement)
    }
    return [
      check("told", "The session tells the format nearest to what was asked for", chosen, "PHO-4"),
      check("delivered", "Frames come in that format", delivered, "CTL-8"),
      check("photo", "Its photo is never larger than it", photos, "PHO-4"),
    ]
  }

  private func name(_ format: CameraFormat?) -> String { format?.description ?? "nothing" }
}

/// What a made-up camera offers, and what is asked of it.
struct Offer: Sendable {
  let formats: [CameraFormat]
  let finder: FormatFinder

  var judge: FormatJudge { FormatJudge(size: finder.size, framesPerSecond: finder.framesPerSecond) }

  var sentence: String {
    let offered = formats.map(\.description).joined(separator: ", ")
    return "of \(offered) for \(finder.size) at \(finder.framesPerSecond) fps the nearest is "
      + "\(judge.best(of: formats)?.description ?? "none"), and \(finder.best(of: formats)?.description ?? "none") was found"
  }

  private static let sizes = [
    (160, 120), (176, 144), (320, 180), (320, 240), (352, 288), (424, 240), (640, 360), (640, 480),
    (800, 448),
    (800, 600), (848, 480), (960, 540), (1024, 576), (1024, 768), (1280, 720), (1280, 960), (1600, 896),
    (1920, 1080), (2304, 1296), (2560, 1440), (3840, 2160), (4000, 3000),
  ]
  private static let rates = [5, 7, 10, 15, 20, 24, 25, 30, 50, 60, 90, 120]
  private static let pixels: [PixelFormat] = [.nv12, .i420, .yuyv, .bgra]

  init(_ random: inout SplitMix64) {
    func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int(random.next() % UInt64(elements.count))]
    }
    formats = (0..<(1 + Int(random.next() % 24))).map { _ in
      let (width, height) = pick(Self.sizes)
      return Self.format(width, height, pick(Self.rates), pick(Self.pixels))
    }
    let (width, height) = pick(Self.sizes)
    finder = FormatFinder(
      size: PixelSize(width: width, height: height), framesPerSecond: Double(pick([15, 24, 30, 60])))
  }

  static func format(
    _ width: Int, _ height: Int, _ rate: Int, _ pixels: PixelFormat = .nv12
  ) -> CameraFormat {
    CameraFormat(
      image: ImageFormat(
        pixelFormat: pixels, size: PixelSize(width: width, height: height),
        color: ColorDescription(matrix: .bt709, range: .limited)),
      frameInterval: FrameInterval(framesPerSecond: rate))
  }
}

/// The rule of PHO-4 and CTL-8 written anew: each format against each other, by whole numbers and ratios.
struct FormatJudge {
  let size: PixelSize
  let framesPerSecond: Double

  /// The one that no other beats; of equals the one offered first.
  func best(of formats: [CameraFormat]) -> CameraFormat? {
    formats.indices.first { index in
      formats.indices.allSatisfy { other in
        !beats(formats[other], formats[index])
      }
    }.map { formats[$0] }
  }

  /// Fast enough, near in size, near in rate, cheap to convert: in this order.
  private func beats(_ one: CameraFormat, _ other: CameraFormat) -> Bool {
    let (fast, otherFast) = (isFast(one), isFast(other))
    if fast != otherFast { return fast }
    let (rate, otherRate) = (one.frameInterval.framesPerSecond, other.frameInterval.framesPerSecond)
    // Of those too slow the fastest.
    if !fast, rate != otherRate { return rate > otherRate }
    let (ratio, otherRatio) = (distance(one.image.size), distance(other.image.size))
    // Beyond the rounding of either.
    if abs(ratio / otherRatio - 1) > 1e-6 { return ratio < otherRatio }
    let (off, otherOff) = (abs(rate - framesPerSecond), abs(otherRate - framesPerSecond))
    if off != otherOff { return off < otherOff }
    return cost(one.image.pixelFormat) < cost(other.image.pixelFormat)
  }

  private func isFast(_ format: CameraFormat) -> Bool {
    format.frameInterval.framesPerSecond >= framesPerSecond * 0.99
  }

  /// How many times the area is off, times how many times the shape is off, squared: 1 for the same size.
  private func distance(_ other: PixelSize) -> Double {
    let area = Double(other.area) / Double(size.area)
    let shape = Double(other.width * size.height) / Double(other.height * size.width)
    let (areaOff, shapeOff) = (max(area, 1 / area), max(shape, 1 / shape))
    return areaOff * shapeOff * shapeOff
  }

  private func cost(_ format: PixelFormat) -> Int {
    [.nv12, .i420, .yuyv, .bgra].firstIndex(of: format) ?? .max
  }
}

/// A camera with such an offer, played until it has given a frame and a photo.
private struct FormatPlay {
  struct Seen: Sendable {
    var format: CameraFormat?
    var frame: PixelSize?
    var photo: PixelSize?
  }

  let rig: Rig
  let offer: Offer

  func seen() async throws -> Seen {
    let clock = VirtualClock()
    var configuration = SessionConfiguration.unattended
    let finder = offer.finder
    configuration.chooseFormat = { finder.best(of: $0) }
    // A camera of 5 frames a second is no stall.
    configuration.stallTimeout = .seconds(10)
    let session = CaptureSession(
      source: rig.broken(Choosy(formats: offer.formats)), configuration: configuration, clock: clock)
    let output = rig.makePhotoOutput(clock: clock)
    await session.add(output)
    return try await session.ending {
      try await session.start()
      await clock.run(for: .seconds(1))
      try Task.checkCancellation()
      let photo = try await clock.run { try await session.capturePhoto(from: output) }
      return Seen(
        format: await session.format, frame: photo.frame.format.size, photo: photo.photo.size)
    }
  }

  /// A camera that delivers whatever of its offer it was set to.
  private struct Choosy: CameraSource {
    let formats: [CameraFormat]

    var specification: String { "simulated" }
    func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
      ChoosyCamera(formats: formats, clock: clock)
    }
  }

  private final class ChoosyCamera: Camera {
    private let formats: [CameraFormat]
    private let clock: any CaptureClock
    /// There as soon as it is prepared.
    private var base: (any Camera)?

    init(formats: [CameraFormat], clock: any CaptureClock) { (self.formats, self.clock) = (formats, clock) }

    func open() throws(CameraError) -> CameraDescription {
      CameraDescription(
        kind: .simulated, name: "Made up", driver: "simulated", bus: "simulated", formats: formats,
        mount: SensorMount())
    }

    func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat {
      guard formats.contains(format) else {
        throw .unsupportedFormat("simulated", wanted: "\(format)", offered: "something else")
      }
      let camera = try SimulatedSource(
        size: format.image.size, frameInterval: format.frameInterval, pixelFormat: format.image.pixelFormat
      ).makeCamera(clock: clock)
      base = camera
      return try camera.prepare(format)
    }

    func start() throws(CameraError) { try base?.start() }
    func stop() { base?.stop() }
    func close() { base?.close() }
    func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
      try base?.next(until: deadline, wake: wake) ?? .ended
    }
    func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool { true }
  }
}

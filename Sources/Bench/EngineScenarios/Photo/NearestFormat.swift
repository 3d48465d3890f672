import Capture
import Harness
import Imagery
import Probes
import Replay
import System

/// CTL-8, PHO-4: the choice among a camera's formats.
struct NearestFormat: Scenario {
  let id = "photo.nearest-format"
  let suite = Suite.photo
  let title = "The nearest format"
  let purpose =
    "A webcam offers dozens of formats; one too small cannot be read, one too large is slow, and one of another shape is cropped."
  let exampleFailure = "An engine that takes the first format a camera offers: 160×120, on some."
  let requirements: [RequirementID] = ["CTL-8", "PHO-4"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  private static let offers = 2000

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let (small, near, far) = (
      Offer.format(640, 360, rate: 30), Offer.format(1024, 576, rate: 30), Offer.format(1280, 960, rate: 30)
    )
    let judge = FormatJudge(size: PixelSize(width: 1280, height: 720), framesPerSecond: 30)
    guard judge.best(of: [small, near, far]) == near, judge.best(of: [far, small]) == far,
      judge.best(of: [Offer.format(1280, 720, rate: 15), small]) == small, judge.best(of: []) == nil
    else { return .failed("by hand another format is nearest to 1280×720 at 30 frames a second") }
    var random = SplitMix64(seed: context.seed)
    let first = (0..<200).count { _ in
      let offer = Offer(&random)
      return offer.judge.best(of: offer.formats) != offer.formats.first
    }
    guard first > 100 else {
      return .failed("the first offered format was accepted as the nearest in \(200 - first) of 200")
    }
    return .passed(
      "four offers were judged as by hand; the first format is not the nearest in \(first) of 200 offers")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var random = SplitMix64(seed: context.seed)
    let offers = (0..<Self.offers).map { _ in Offer(&random) }
    let wrong = offers.filter { $0.finder.best(of: $0.formats) != $0.judge.best(of: $0.formats) }
    let query = Check(
      id: "\(id).query", title: "Of all the formats offered the nearest is found", passed: wrong.isEmpty,
      subjects: offers.count, detail: wrong.first?.sentence ?? "\(offers.count) offers of up to 24 formats",
      requirement: "CTL-8")
    return Observation(
      checks: [query] + (try await played(Array(offers.prefix(20)))),
      notes: [
        "The scenario compares each format with each other, by ratios; the engine ranks them by logarithms."
      ])
  }

  /// Checks the choice through a session, up to the frames and a photo.
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
    func check(_ name: String, _ title: String, mistakes: [String], requirement: RequirementID) -> Check {
      Check(
        id: "\(id).\(name)", title: title, passed: mistakes.isEmpty, subjects: offers.count,
        detail: mistakes.first ?? "\(offers.count) cameras", requirement: requirement)
    }
    return [
      check(
        "told", "The session reports the format nearest to the requested one", mistakes: chosen,
        requirement: "PHO-4"),
      check("delivered", "Frames come in that format", mistakes: delivered, requirement: "CTL-8"),
      check("photo", "The photo is never larger than its frame", mistakes: photos, requirement: "PHO-4"),
    ]
  }

  private func name(_ format: CameraFormat?) -> String { format?.description ?? "nothing" }
}

/// A play of a camera with these formats, until it has delivered a frame and a photo.
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
    // Long enough that a camera of 5 frames per second does not count as stalled.
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

  /// A camera that delivers any of its formats, as requested.
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
    /// The simulated camera in use. Nil until it is prepared.
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

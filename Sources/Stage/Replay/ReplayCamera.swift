public import Capture
public import Corpora
public import Imagery
import System

/// Options for playing a recording.
public struct ReplayOptions: Hashable, Sendable {
  /// The time at which frames are delivered.
  public enum Pace: String, Hashable, Sendable {
    /// Each frame at its recorded time.
    case recorded
    /// Each frame as soon as the previous one was taken.
    case fast
  }

  /// The pace, by default as recorded.
  public var pace = Pace.recorded
  /// The delivered format, if it is not the recorded one; frames are converted before the stream starts. Nil for the recorded format.
  public var pixelFormat: PixelFormat?
  /// Factor of the speed, 1…100: times, exposures and the frame interval are divided by it.
  public var speed = 1
  /// Number of recorded seconds that are played, from 1 to 3600. Nil for all.
  public var seconds: Int?
  /// Whether to start again at the end.
  public var loops = false

  /// Creates options for playing the whole recording once, as recorded, in its own format.
  public init() {}

  /// Returns the played duration of a corpus, in its own time.
  func span(of corpus: Corpus) -> Duration {
    let whole = Duration.nanoseconds(corpus.manifest.durationNanoseconds)
    return seconds.map { min(whole, .seconds($0)) } ?? whole
  }
}

/// A source that plays a corpus as the device did: its frames at their times, and its faults.
///
/// ```swift
/// let corpus = try Corpus.find("shelf-pan", searching: CorpusRoots.standard())
/// var options = ReplayOptions()
/// options.loops = true
/// let session = CaptureSession(source: ReplaySource(corpus: corpus, options: options))
/// ```
public struct ReplaySource: CameraSource {
  /// The corpus that is played.
  public let corpus: Corpus
  /// The options for playing it.
  public let options: ReplayOptions
  /// `corpus:` and the name of the corpus.
  public let specification: String

  /// - Parameter options: how the corpus is played; by default the corpus is played once, as recorded.
  public init(corpus: Corpus, options: ReplayOptions = ReplayOptions()) {
    self.corpus = corpus
    self.options = options
    specification = "corpus:\(corpus.manifest.name)"
  }

  /// Creates a camera that has not played anything yet. Its recorded time begins with its first `start()`.
  public func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    ReplayCamera(source: self, clock: clock)
  }
}

extension CameraDescription.Kind {
  /// A recording that is played.
  public static let replay = CameraDescription.Kind(rawValue: "replay")
}

/// The camera that plays a corpus. Times of the track are the starts of frames' exposures; as from a sensor, a frame arrives one frame interval
/// later. From the first `start()` on, recorded time continues while the stream is stopped.
final class ReplayCamera: Camera {
  private let source: ReplaySource
  private let clock: any CaptureClock
  private let interval: Duration
  private var player: TrackPlayer?
  private var frames: FrameSupply?
  private var origin: MonotonicTime?
  /// An event that was read from the track and is not due yet.
  private var pending: TimedEvent?
  private var isUnplugged = false

  init(source: ReplaySource, clock: any CaptureClock) {
    self.source = source
    self.clock = clock
    interval = source.corpus.manifest.frameInterval.duration / source.options.speed
  }

  func open() throws(CameraError) -> CameraDescription {
    try skipMissed()
    if isUnplugged { throw .disconnected(source.specification) }
    return source.corpus.cameraDescription(as: source.options.pixelFormat, speed: source.options.speed)
  }

  func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat {
    if frames == nil {
      frames = try FrameSupply(
        corpus: source.corpus, format: format, specification: source.specification,
        span: source.options.seconds.map { .seconds($0) })
    }
    if player == nil {
      player = try TrackPlayer(corpus: source.corpus, options: source.options)
    }
    return format
  }

  func start() throws(CameraError) {
    if origin == nil { origin = clock.now() }
    try skipMissed()
  }

  func stop() {}
  func close() {}

  func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
    while true {
      guard let event = try upcoming() else { return .ended }
      if let due = dueTime(of: event), due > clock.now() {
        let isDueFirst = due <= deadline
        if clock.wait(until: isDueFirst ? due : deadline, wake: wake) { return .woken }
        if !isDueFirst { return .timedOut }
      }
      pending = nil
      if let said = try play(event) { return said }
    }
  }

  func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool {
    // All troubles except an unplugging are over as soon as the stream is opened again.
    while isUnplugged {
      guard let event = try? upcoming() else { return !clock.wait(until: .distantFuture, wake: wake) }
      if let due = dueTime(of: event), clock.wait(until: due, wake: wake) { return false }
      pending = nil
      if case .replug = event.kind { isUnplugged = false }
    }
    return true
  }

  // MARK: The track

  private func upcoming() throws(CameraError) -> TimedEvent? {
    if pending == nil { pending = try player?.next() }
    return pending
  }

  /// Returns the time at which the event arrives: frames after their exposure, other events at once. Nil if the event is played without waiting.
  private func dueTime(of event: TimedEvent) -> MonotonicTime? {
    guard source.options.pace == .recorded, let origin else { return nil }
    return origin + event.time + (event.isFrame ? interval : .zero)
  }

  /// Skips events that occurred while the stream was stopped: frames are lost, an unplugging or replugging still counts.
  private func skipMissed() throws(CameraError) {
    guard origin != nil, source.options.pace == .recorded else { return }
    while let event = try upcoming(), let due = dueTime(of: event), due < clock.now() {
      pending = nil
      if case .unplug = event.kind { isUnplugged = true }
      if case .replug = event.kind { isUnplugged = false }
    }
  }

  private func play(_ event: TimedEvent) throws(CameraError) -> CameraEvent? {
    switch event.kind {
    case .frame(let frame): return deliver(frame, at: event.time)
    case .angle(let degrees):
      let time = dueTime(of: event) ?? clock.now()
      return .attitude(degrees: degrees, time: time)
    case .interruption(let reason, let phase):
      let known = InterruptionReason(known: reason)
      return phase == .began ? .interrupted(known) : .interruptionEnded
    case .unplug:
      isUnplugged = true
      throw .disconnected(source.specification)
    case .replug, .stall, .control, .scene: return nil
    }
  }

  private func deliver(_ frame: CorpusFrame, at time: Duration) -> CameraEvent {
    let (exposure, edge) = exposure(at: time)
    do throws(CameraError) {
      guard let image = try frames?.image(of: frame) else { return .ended }
      return .frame(
        CapturedImage(
          image: image, sequence: frame.sequence, exposureTime: exposure, exposureEdge: edge))
    } catch {
      return .damagedFrame(sequence: frame.sequence, reason: "\(error)")
    }
  }

  /// Returns the time of the frame by the track, and the instant that this time marks: the start of the exposure or the end of the frame.
  private func exposure(at time: Duration) -> (MonotonicTime, ExposureEdge) {
    let edge = source.corpus.manifest.exposureEdge
    guard source.options.pace == .recorded, let origin else { return (clock.now(), edge) }
    return (origin + time, edge)
  }
}

extension Corpus {
  /// Returns the corpus as a camera would describe itself, in its own format or another.
  func cameraDescription(as pixelFormat: PixelFormat?, speed: Int) -> CameraDescription {
    var image = manifest.imageFormat
    image.pixelFormat = pixelFormat ?? image.pixelFormat
    var interval = manifest.frameInterval
    interval.denominator *= speed
    return CameraDescription(
      kind: .replay, name: manifest.title, driver: "replay", bus: "corpus:\(manifest.name)",
      formats: [CameraFormat(image: image, frameInterval: interval)],
      mount: SensorMount(
        orientation: Orientation(rotation: manifest.mountAngle, isMirrored: manifest.isMirrored),
        isFrontFacing: manifest.isMirrored))
  }
}

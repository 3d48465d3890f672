import Imagery
import System

/// Operates the camera of a session: does what it is asked, keeps what is wished, and sets it again where the device has lost it.
///
/// It is asked in one serial order, by whoever holds its lock: the capture thread, while there is one. All that takes time is something that
/// is due (`due`), so that the thread can wait for frames meanwhile.
struct CameraOperator: Sendable {
  /// What everybody may see.
  var state = ControlsState() { didSet { hasNews = true } }
  var policy = ControlPolicy()

  // MARK: The device

  var isOpen = false
  var isStreaming = false
  /// Its capabilities were asked.
  var isKnown = false
  /// Somebody operates the camera or looks at the state.
  var isWatched = false
  /// Which camera the device's values are of.
  var number: Int?
  /// From one frame to the next, in seconds.
  var interval = 1.0 / 30
  /// As the camera says.
  var framesUntilSettled = 0
  /// What the camera itself offers of its zoom.
  var deviceZoom: CameraControlCapability?
  /// The mode of the exposure as it was found before the stream began, or set since.
  var foundMode: CameraControlValue?
  /// What the device has to have, as it was set and read back.
  var expected: [CameraControl: CameraControlValue] = [:]

  // MARK: What is due

  /// The wishes are to be set on another camera.
  var reapplication: MonotonicTime?
  /// The device is to be held against what is expected.
  var check: MonotonicTime?
  /// The stream's first frame has not come.
  var isFirstFrameAwaited = false
  /// The controls that are read in turn, and which is next.
  var polled: [CameraControl] = []
  var pollIndex = 0
  var nextPoll = MonotonicTime(nanoseconds: .min)
  /// Those that were told to have changed, and are not read yet.
  var stale: [CameraControl] = []
  /// So many are read between two frames.
  static let mostReads = 8
  /// So many that have changed are remembered: V4L2's limit of controls.
  static let mostStale = 1024
  /// Frames that are exposed before this are not settled.
  var settlesAt = MonotonicTime(nanoseconds: .min)

  // MARK: What is under way

  /// Held because somebody said so.
  var hold: HeldExposure?
  /// Held because a recording runs.
  var recordingHold: HeldExposure?
  var priority: ShutterPriorityLoop?
  /// The angle that shutter priority holds.
  var priorityAngle = ShutterAngle(degrees: 180)
  var focus: FocusRun?
  /// A focus that begins with the next look: whether it locks.
  var nextFocus: Bool?
  var nextFocusLook: MonotonicTime?
  var ramp: RunningRamp?
  var countIn: RunningCountIn?
  /// The zoom of the device, and what it was for frames exposed before `settlesAt`.
  var optical = (present: 1.0, former: 1.0)
  /// What frames were set to, as it was read last.
  var read = FrameSettings()
  /// The same, and since when, of the latest time: a frame has what was read before its exposure.
  var reads: [(since: MonotonicTime, settings: FrameSettings)] = []
  private static let mostReadsKept = 16
  /// The latest frame told itself how it was exposed.
  var tellsOwn = false
  var dynamicRange = DynamicRangeChoice(isLogWished: false, isLogSupported: false)

  private var hasNews = false
  private var newsNumber = 0

  /// Exposure time and sensitivity that stay as they are; nil where the device has none that can be set, or tells none.
  struct HeldExposure: Hashable, Sendable {
    var duration: Double?
    var iso: Double?
    /// That before they were held.
    var mode: CameraControlValue?

    var settings: [ControlSetting] {
      let values: [ControlSetting?] = [
        duration.map { ControlSetting(.exposureDuration, .number($0)) },
        iso.map { ControlSetting(.iso, .number($0)) },
      ]
      return values.compactMap { $0 }
    }
  }

  struct RunningRamp: Sendable {
    let ramp: ZoomRamp
    let order: ControlOrder
    let note: CameraControlResult.Note
  }

  struct RunningCountIn: Sendable {
    let steps: [TorchCountIn.Step]
    let began: MonotonicTime
    var next = 0
    let order: ControlOrder
  }

  // MARK: Orders

  /// Does what it is asked, and answers: at once, or at the end of what takes its time.
  mutating func take(_ order: ControlOrder, camera: (any OperableCamera)?, now: MonotonicTime) {
    isWatched = true
    learn(camera, now)
    // Without one nobody waits for an answer: what was learnt is news for all.
    guard let command = order.command else { return }
    switch command {
    case .rampZoom(let factor, let rate) where isStreaming: beginRamp(order, to: factor, rate: rate, now)
    case .torch(let level, true) where isStreaming && level > 0:
      beginCountIn(order, level, camera: camera, now: now)
    case .set, .reset, .lockExposure, .shutterPriority, .lockForRecording, .focus, .cancelZoomRamp, .rampZoom,
      .torch:
      answer(order, perform(command, camera, now: now))
    }
  }

  private mutating func perform(
    _ command: ControlCommand, _ camera: (any OperableCamera)?, now: MonotonicTime
  ) -> [CameraControlResult] {
    switch command {
    case .set(let settings):
      if settings.isEmpty { lookAtDevice(camera) } else { set(settings, camera, now: now) }
    case .reset(let controls): reset(controls, camera, now: now)
    case .lockExposure(let isLocked): [lockExposure(isLocked, camera, now: now)]
    case .shutterPriority(let angle): [setShutterPriority(angle, camera, now: now)]
    case .lockForRecording(let isLocked): [lockForRecording(isLocked, camera, now: now)]
    case .focus(let x, let y, let locks): [focus(x: x, y: y, locks: locks, camera, now)]
    case .rampZoom(let factor, _): set([ControlSetting(.zoom, .number(factor))], camera, now: now)
    case .cancelZoomRamp: [cancelRamp(now)]
    case .torch(let level, _): set([ControlSetting(.torch, .number(level))], camera, now: now)
    }
  }

  mutating func answer(_ order: ControlOrder, _ results: [CameraControlResult]) {
    if hasNews { newsNumber += 1 }
    hasNews = false
    order.answer(ControlAnswer(results: results, update: ControlsUpdate(number: newsNumber, state: state)))
  }

  /// What the device has chosen by itself, and where its motors are, for whoever asks for nothing else.
  private mutating func lookAtDevice(_ camera: (any OperableCamera)?) -> [CameraControlResult] {
    let all: [CameraControl] = [.exposureMode, .exposureDuration, .iso, .pan, .tilt]
    refresh(all.filter { state.capability($0)?.isPresent ?? false }, camera)
    return []
  }

  /// What was read until now is of the frames that follow.
  mutating func noteReads(at time: MonotonicTime) {
    guard read != reads.last?.settings else { return }
    reads.append((time, read))
    if reads.count > Self.mostReadsKept { reads.removeFirst() }
  }

  /// What was read before a frame was exposed, or, where nothing was, first after that.
  func read(at exposure: MonotonicTime) -> FrameSettings {
    (reads.last { $0.since <= exposure } ?? reads.first)?.settings ?? read
  }

  /// What nobody was told yet.
  mutating func takeNews() -> ControlsUpdate? {
    guard hasNews else { return nil }
    hasNews = false
    newsNumber += 1
    return ControlsUpdate(number: newsNumber, state: state)
  }

  /// Something was found that a person should know.
  mutating func note(finding: String) {
    state.findings.append(finding)
    if state.findings.count > 16 { state.findings.removeFirst() }
  }
}

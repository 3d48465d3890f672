import Imagery
import System

/// Operates the camera of a session: executes commands, remembers wishes, and sets them again if the device has lost them.
///
/// Calls are serial: it is used under a lock, by the capture thread while there is one. Work that
/// takes time is scheduled (`due`), so that the thread can wait for frames in between.
struct CameraOperator: Sendable {
  /// The published state.
  var state = ControlsState() { didSet { hasNews = true } }
  var policy = ControlPolicy()

  // MARK: The device

  var isOpen = false
  var isStreaming = false
  /// Whether the device's capabilities were queried.
  var isKnown = false
  /// Whether somebody operates the camera or listens to the state.
  var isWatched = false
  /// The number of the camera that the device's values belong to.
  var number: Int?
  /// The time between two frames, in seconds.
  var interval = 1.0 / 30
  /// The camera's `framesUntilSettled`.
  var framesUntilSettled = 0
  /// The zoom capability of the camera itself.
  var deviceZoom: CameraControlCapability?
  /// The exposure mode that was found before the stream began, or was set since.
  var foundMode: CameraControlValue?
  /// The values that the device must have: those read back after the engine set them.
  var expected: [CameraControl: CameraControlValue] = [:]

  // MARK: Scheduled work

  /// The time at which the wishes are to be set on another camera.
  var reapplication: MonotonicTime?
  /// The time at which the device is to be compared with the expected values.
  var check: MonotonicTime?
  /// Whether the stream's first frame has not come yet.
  var isFirstFrameAwaited = false
  /// The controls that are read in turn.
  var polled: [CameraControl] = []
  var pollIndex = 0
  var nextPoll = MonotonicTime(nanoseconds: .min)
  /// Controls that were reported as changed, but not read yet.
  var stale: [CameraControl] = []
  /// The number of controls to read between two frames.
  static let mostReads = 8
  /// The largest number of changed controls to remember: V4L2's limit of controls.
  static let mostStale = 1024
  /// The end of the settling: frames exposed before it are not settled.
  var settlesAt = MonotonicTime(nanoseconds: .min)

  // MARK: Actions under way

  /// The exposure that is locked by command.
  var hold: HeldExposure?
  /// The exposure that is locked during a recording.
  var recordingHold: HeldExposure?
  var priority: ShutterPriorityLoop?
  var priorityAngle = ShutterAngle(degrees: 180)
  var focus: FocusRun?
  /// Whether the focus run that begins with the next look ends in a lock; nil if none is to begin.
  var nextFocus: Bool?
  var nextFocusLook: MonotonicTime?
  var ramp: RunningRamp?
  var countIn: RunningCountIn?
  /// The zoom of the device, and its former value for frames exposed before `settlesAt`.
  var optical = (present: 1.0, former: 1.0)
  /// The frame settings that were read last.
  var read = FrameSettings()
  /// The latest settings that were read, each with the time of the reading. A frame gets those that were read before its exposure.
  var reads: [(since: MonotonicTime, settings: FrameSettings)] = []
  private static let mostReadsKept = 16
  /// Whether the latest frame reported its own settings.
  var tellsOwn = false
  var dynamicRange = DynamicRangeChoice(isLogWished: false, isLogSupported: false)

  private var hasNews = false
  private var newsNumber = 0

  /// A locked exposure time and sensitivity; each is nil if the device cannot set it or does not report it.
  struct HeldExposure: Hashable, Sendable {
    var duration: Double?
    var iso: Double?
    /// The exposure mode before the lock.
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

  /// Executes an order, and answers it at once, or at the end of an action that takes time.
  mutating func take(_ order: ControlOrder, camera: (any OperableCamera)?, now: MonotonicTime) {
    isWatched = true
    learn(camera, now)
    // An order without a command gets no answer of its own: `takeNews` publishes the state to all listeners.
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

  /// Answers a request without settings: reads the values that the device has chosen by itself, and the positions of its motors.
  private mutating func lookAtDevice(_ camera: (any OperableCamera)?) -> [CameraControlResult] {
    let all: [CameraControl] = [.exposureMode, .exposureDuration, .iso, .pan, .tilt]
    refresh(all.filter { state.capability($0)?.isPresent ?? false }, camera)
    return []
  }

  /// Notes the settings that were read until now; they apply to the frames that follow.
  mutating func noteReads(at time: MonotonicTime) {
    guard read != reads.last?.settings else { return }
    reads.append((time, read))
    if reads.count > Self.mostReadsKept { reads.removeFirst() }
  }

  /// The settings that were read last before a frame was exposed; if there are none, the first ones read after that.
  func read(at exposure: MonotonicTime) -> FrameSettings {
    (reads.last { $0.since <= exposure } ?? reads.first)?.settings ?? read
  }

  /// The state, if it has changed since the last call; otherwise nil.
  mutating func takeNews() -> ControlsUpdate? {
    guard hasNews else { return nil }
    hasNews = false
    newsNumber += 1
    return ControlsUpdate(number: newsNumber, state: state)
  }

  /// Notes a finding for the user.
  mutating func note(finding: String) {
    state.findings.append(finding)
    if state.findings.count > 16 { state.findings.removeFirst() }
  }
}

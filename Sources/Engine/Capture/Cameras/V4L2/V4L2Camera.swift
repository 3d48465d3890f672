import Imagery
import System
import Video4Linux

/// A camera behind a `/dev/video…` node. Confined to the capture thread.
final class V4L2Camera: OperableCamera {
  private let source: V4L2Source
  private let clock: any CaptureClock
  private var location: V4L2Location
  private var device: VideoDevice?
  private var stream: V4L2Stream?
  private var descriptions: [FormatDescription] = []
  /// The formats that were offered when the camera was opened and that meet the user's request.
  private var offered: [CameraFormat] = []
  private var signal: V4L2Signal?
  /// Whether the loss of the signal was reported to the session.
  private var isSignalLost = false
  private var wasOpen = false
  /// The number of frames to wait for before the camera's identity is read, which takes time; nil once it was read.
  private var framesUntilLearnt: Int? = 2
  private var hasFrame = false
  /// The number of times that the driver's clock has stepped.
  private var clockSteps = 0
  /// The reason why the device was lost; nil once it is open again.
  private var lostTo: InterruptionReason?
  /// The device's controls, once they were queried.
  private var controls: V4L2Controls?
  /// The exposure mode control alone, because querying all controls of a webcam takes tens of milliseconds.
  private var exposureControls: V4L2Controls?
  /// Changed controls that were not reported to the session yet.
  private var changed: [CameraControl] = []

  private static let signalCheck = Duration.milliseconds(250)
  /// The largest number of formats to try on a driver that refuses formats which it offers.
  private static let mostTries = 16

  init(source: V4L2Source, clock: any CaptureClock) {
    self.source = source
    self.clock = clock
    location = V4L2Location(path: source.path, kernel: source.kernel, clock: clock)
  }

  // MARK: Opening and preparing

  func open() throws(CameraError) -> CameraDescription {
    guard let path = location.current() else { throw .disconnected(source.specification) }
    let opened = try openNode(path)
    guard location.isSame(opened.capabilities) else { throw .disconnected(source.specification) }
    device = opened
    return try describe(opened, at: path)
  }

  private func openNode(_ path: String) throws(CameraError) -> VideoDevice {
    do throws(VideoDeviceError) { return try VideoDevice(path: path, kernel: source.kernel) } catch {
      if error.reason == .permissionDenied, let passing = passingRefusal() { throw passing }
      if error.isOfNoVideoDevice { throw source.wrongNode(at: path, bus: nil) }
      throw CameraError(error, source: source.specification, wasOpen: wasOpen)
    }
  }

  /// The error for a denied opening that may succeed later, because udev has not set the node's permissions yet after a
  /// reconnection or a reset. Nil in any other case, and after udev had enough time. A nil result means that the denial is
  /// intended: it is reported, and the device is not opened again before a new request.
  private func passingRefusal() -> CameraError? {
    switch lostTo {
    case .deviceDisconnected where location.isSettling(): return .disconnected(source.specification)
    case .deviceReset where location.isSettling():
      return .failed(
        source.specification, reason: "permission to open it is denied since it was reset; it is tried again")
    default:
      lostTo = nil
      location.noteAnswer()
      return nil
    }
  }

  private func describe(_ device: VideoDevice, at path: String) throws(CameraError) -> CameraDescription {
    let capabilities = device.capabilities
    guard capabilities.isCapture else {
      throw source.wrongNode(at: path, bus: capabilities.bus)
    }
    try chooseInput(of: device)
    let formats = try asking { () throws(VideoDeviceError) in
      signal = try V4L2Signal(of: device)
      let offer = V4L2Offer(device: device, request: source.request, signal: signal)
      descriptions = try offer.descriptions()
      return try offer.formats(in: descriptions)
    }
    guard !formats.isEmpty else { throw unsupported(source.request.description, by: device) }
    offered = formats
    wasOpen = true
    lostTo = nil
    location.note(capabilities)
    location.noteAnswer()
    return CameraDescription(
      kind: .v4l2, name: capabilities.card, driver: capabilities.driver, bus: capabilities.bus,
      formats: formats, mount: source.request.mount(of: device),
      maker: DeviceDirectory(kernel: source.kernel).maker(of: path))
  }

  private func chooseInput(of device: VideoDevice) throws(CameraError) {
    guard let input = source.request.input else { return }
    let (present, all) = try asking { () throws(VideoDeviceError) in
      (try device.currentInput(), try device.inputs())
    }
    guard all.contains(where: { $0.index == input }) else {
      let names = all.map { "\($0.index) (\($0.name))" }.joined(separator: ", ")
      throw .invalidSource(
        source.specification,
        reason: "it has no input \(input); \(names.isEmpty ? "leave input= out" : "choose one of \(names)")")
    }
    if present != input { try asking { () throws(VideoDeviceError) in try device.setInput(input) } }
  }

  func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat {
    guard let device else { throw .disconnected(source.specification) }
    try asking { () throws(VideoDeviceError) in try signal?.follow() }
    let (given, interval) = try settle(format, device)
    guard let image = ImageFormat(given), given.field.isWholeFrame,
      let layout = V4L2Layout(given, image: image, blackLevel: try blackLevel(of: given))
    else { throw unsupported("\(format) after all: its driver answered with \(given.details)", by: device) }
    let stream = try asking { () throws(VideoDeviceError) in
      _ = try device.subscribe(to: .sourceChange)
      return try V4L2Stream(
        device: device, count: source.bufferCount, layout: layout, interval: interval?.duration,
        clockSteps: clockSteps)
    }
    guard stream.fits else {
      throw .broken(
        source.specification,
        reason: "its buffers are too small for \(given); update the kernel or report the driver")
    }
    self.stream = stream
    return CameraFormat(image: image, frameInterval: interval ?? format.frameInterval)
  }

  private func blackLevel(of given: VideoFormat) throws(CameraError) -> Int {
    guard let black = source.request.blackLevel else { return 0 }
    guard let packing = V4L2RawFormat(given.fourCC)?.packing else {
      throw .invalidSource(
        source.specification,
        reason:
          "only a sensor's own samples have a black level, and \(given.fourCC) has none; leave black= out")
    }
    guard (0..<packing.white).contains(black) else {
      throw .invalidSource(
        source.specification,
        reason:
          "the black level of \(given.fourCC) is between 0 and \(packing.white - 1), and \(black) is not")
    }
    return black
  }

  /// Sets format and rate. The driver may choose others, but the user's explicit request must still be met, in another format if necessary.
  private func settle(
    _ wanted: CameraFormat, _ device: VideoDevice
  ) throws(CameraError) -> (VideoFormat, FrameInterval?) {
    let others = offered.filter { $0 != wanted }
    let near = others.filter { $0.image.size == wanted.image.size }
    let far = others.filter { $0.image.size != wanted.image.size }
    var answers: [String] = []
    for format in ([wanted] + near + far).prefix(V4L2Camera.mostTries) {
      let (given, interval) = try set(format, device)
      if source.request.isMet(by: given, interval) { return (given, interval) }
      let answer = "\(given)\(interval.map { " at \($0)" } ?? "")"
      if !answers.contains(answer) { answers.append(answer) }
    }
    throw unsupported(
      "\(source.request) (its driver answered with \(answers.joined(separator: ", then ")))", by: device)
  }

  /// - Returns: the driver's answer; no interval if the driver reports none or an impossible one.
  private func set(
    _ format: CameraFormat, _ device: VideoDevice
  ) throws(CameraError) -> (VideoFormat, FrameInterval?) {
    let known = descriptions.first { PixelFormat($0.fourCC) == format.image.pixelFormat }
    guard let known else { throw unsupported(format.description, by: device) }
    let size = FrameSize(width: format.image.size.width, height: format.image.size.height)
    var wanted = VideoFormat(fourCC: known.fourCC, size: size)
    if format.isLog, known.convertsToLog { (wanted.colorimetry, wanted.convertsColor) = (.log, true) }
    return try asking { () throws(VideoDeviceError) in
      let given = try device.setFormat(wanted)
      return (given, try setInterval(format.frameInterval, device))
    }
  }

  private func setInterval(
    _ wanted: FrameInterval, _ device: VideoDevice
  ) throws(VideoDeviceError) -> FrameInterval? {
    if let signal { return FrameInterval(signal.timings) }
    guard let interval = TimePerFrame(wanted) else { return nil }
    var given = try device.setFrameInterval(interval)
    if given == nil { given = try device.frameInterval() }
    return given.map { FrameInterval($0) }.flatMap { $0.isBelievable ? $0 : nil }
  }

  // MARK: Streaming

  func start() throws(CameraError) {
    guard let stream else { throw .disconnected(source.specification) }
    isSignalLost = false
    hasFrame = false
    try asking { () throws(VideoDeviceError) in
      do throws(VideoDeviceError) { try stream.start(at: clock.now()) } catch {
        // Some receivers refuse to start without a signal: `next` reports the lost signal, and starts the
        // stream when the signal is back. For a camera, which has no signal, the error stands.
        guard signal != nil, [.noSignal, .notLinked].contains(error.reason) else { throw error }
      }
    }
  }

  func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
    guard let device, let stream else { throw .disconnected(source.specification) }
    if let said = try asking({ () throws(VideoDeviceError) in try checkStart(stream) }) { return said }
    if let said = tellChanged() { return said }
    while true {
      if !stream.isRunning {
        let end = min(deadline, clock.now() + V4L2Camera.signalCheck)
        if clock.wait(until: end, wake: wake) { return .woken }
        if let said = try lookAtSignal(stream) { return said }
        if clock.now() >= deadline { return .timedOut }
        continue
      }
      let ready = try wait(device, until: deadline, wake: wake)
      // Learn the camera's identity only with the third frame, since this takes time: on one processor, the
      // outputs draw the first frame while this thread waits, and the second frame comes meanwhile.
      if framesUntilLearnt == 0, !ready.contains(.hangup) {
        framesUntilLearnt = nil
        location.learn()
      }
      if ready.contains(.woken) {
        wake.drain()
        return .woken
      }
      if let said = try take(ready, device, stream: stream, wake: wake) { return said }
      if clock.now() >= deadline { return .timedOut }
    }
  }

  /// Reports a lost signal if the stream could not start for lack of a signal, or if it has delivered no frame yet and there is no signal.
  private func checkStart(_ stream: V4L2Stream) throws(VideoDeviceError) -> CameraEvent? {
    guard !hasFrame, !isSignalLost, let signal else { return nil }
    if stream.isRunning, try signal.change() != .lost { return nil }
    isSignalLost = true
    return .interrupted(.signalLost)
  }

  private func wait(
    _ device: VideoDevice, until deadline: MonotonicTime, wake: WakeSignal
  ) throws(CameraError) -> Readiness {
    let now = clock.now()
    // Check for the signal regularly: not every receiver sends an event when the signal is back.
    let end = isSignalLost ? min(deadline, now + V4L2Camera.signalCheck) : deadline
    let timeout = end == .distantFuture ? nil : max(.zero, end - now)
    return try asking { () throws(VideoDeviceError) in try device.wait(wake: wake, timeout: timeout) }
  }

  private func take(
    _ ready: Readiness, _ device: VideoDevice, stream: V4L2Stream, wake: WakeSignal
  ) throws(CameraError) -> CameraEvent? {
    if ready.contains(.hangup) { throw .disconnected(source.specification) }
    // Report changed controls after the frame: a device with endless events would otherwise deliver no frames.
    let isSourceChanged = try ready.contains(.event) ? noteEvents(of: device) : false
    if isSourceChanged {
      if let said = try lookAtSignal(stream) { return said }
    } else if isSignalLost, ready.isTimedOut, let said = try lookAtSignal(stream) {
      return said
    }
    guard !isSignalLost else {
      try asking { () throws(VideoDeviceError) in try stream.discard() }
      return tellChanged()
    }
    // Call `take` after a time-out, too: it offers the driver again the buffers that the driver refused to take back.
    if let event = try asking({ () throws(VideoDeviceError) in try stream.take(arrival: clock.now()) }) {
      if case .frame(let image) = event {
        hasFrame = true
        clockSteps = image.clockSteps
        framesUntilLearnt = framesUntilLearnt.map { max(0, $0 - 1) }
      }
      return event
    }
    if let said = tellChanged() { return said }
    return ready.contains(.error) && !ready.contains(.buffer) ? try noteBrokenStream(stream, wake) : nil
  }

  private func tellChanged() -> CameraEvent? {
    guard !changed.isEmpty else { return nil }
    defer { changed = [] }
    return .controlsChanged(changed)
  }

  /// Handles `POLLERR` with nothing to dequeue: the stream is broken, unless the only cause is that the outputs hold every buffer.
  private func noteBrokenStream(_ stream: V4L2Stream, _ wake: WakeSignal) throws(CameraError) -> CameraEvent?
  {
    guard stream.isExhausted else {
      throw .failed(
        source.specification, reason: "the driver says that the stream is broken; it is restarted")
    }
    return clock.wait(until: clock.now() + .milliseconds(2), wake: wake) ? .woken : nil
  }

  /// Reads the device's pending events, and notes each control that has changed, once.
  /// - Returns: whether the source has changed.
  private func noteEvents(of device: VideoDevice) throws(CameraError) -> Bool {
    var isSourceChanged = false
    // Bounded, so that a storm of events cannot block the thread.
    for _ in 0..<64 {
      guard let event = try asking({ () throws(VideoDeviceError) in try device.nextEvent() }) else { break }
      switch event.kind {
      case .sourceChange: isSourceChanged = true
      case .control(let id, _):
        for control in controls?.controls(behind: id) ?? [] where !changed.contains(control) {
          changed.append(control)
        }
      case .endOfStream, .other: break
      }
    }
    return isSourceChanged
  }

  private func lookAtSignal(_ stream: V4L2Stream) throws(CameraError) -> CameraEvent? {
    guard let signal else {
      throw .failed(source.specification, reason: "the signal at its input changed; it is set up anew")
    }
    switch try asking({ () throws(VideoDeviceError) in try signal.change() }) {
    case .other(let timings):
      throw .failed(
        source.specification, reason: "the signal at its input changed to \(timings); it is set up anew")
    case .lost:
      guard !isSignalLost else { return nil }
      isSignalLost = true
      return .interrupted(.signalLost)
    case .none:
      if !stream.isRunning { try asking { () throws(VideoDeviceError) in try stream.start(at: clock.now()) } }
      guard isSignalLost else { return nil }
      isSignalLost = false
      return .interruptionEnded
    }
  }

  // MARK: Ending

  func stop() { stream?.stop() }

  /// Closes the device. Pictures that the outputs still hold stay readable; their memory is freed with the last of them.
  func close() {
    // Look once more for cameras of the same model and serial number, while this camera still has its device number.
    if stream != nil { location.learn() }
    stream?.release()
    device?.close()
    device = nil
    stream = nil
    signal = nil
    controls = nil
    exposureControls = nil
    changed = []
  }

  func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool {
    lostTo = reason
    if hasFrame { location.noteSuccess() }
    hasFrame = false
    return switch reason {
    case .deviceDisconnected: location.waitForDevice(wake: wake)
    case .deviceInUse: location.waitUntilFree(wake: wake)
    default: location.waitBeforeRetry(wake: wake)
    }
  }

  // MARK: Operating

  func capabilities() -> [CameraControlCapability] { everyControl()?.capabilities() ?? [] }

  func values(of controls: [CameraControl]) -> [CameraControl: CameraControlValue] {
    operated(controls)?.values(of: controls) ?? [:]
  }

  func set(_ values: [(control: CameraControl, value: CameraControlValue)]) -> [CameraControlResult] {
    operated(values.map { $0.control })?.set(values)
      ?? values.map {
        CameraControlResult(
          $0.control, wanted: $0.value,
          refusal: "cannot set \($0.control): the device is closed; start the session")
      }
  }

  private func everyControl() -> V4L2Controls? {
    if controls == nil { controls = device.map { V4L2Controls(of: $0) } }
    return controls
  }

  private func operated(_ names: [CameraControl]) -> V4L2Controls? {
    guard controls == nil, names == [.exposureMode] else { return everyControl() }
    if exposureControls == nil { exposureControls = device.map { V4L2Controls(of: $0, only: names) } }
    return exposureControls
  }

  // MARK: Errors

  private func asking<Result>(_ body: () throws(VideoDeviceError) -> Result) throws(CameraError) -> Result {
    do throws(VideoDeviceError) { return try body() } catch {
      throw CameraError(error, source: source.specification, wasOpen: wasOpen)
    }
  }

  private func unsupported(_ wanted: String, by device: VideoDevice) -> CameraError {
    let offer = V4L2Offer(device: device, request: V4L2Request())
    let everything = (try? offer.formats(in: offer.descriptions())) ?? []
    let offered = everything.prefix(12).map(\.description).joined(separator: ", ")
    return .unsupportedFormat(
      source.specification, wanted: wanted,
      offered: offered.isEmpty ? "nothing that the engine can read" : offered)
  }
}

import Imagery
import System

/// Handles the opening, the streaming and the closing of the device.
extension CameraOperator {
  /// Notes that the device is open and its format set, before its stream begins.
  mutating func cameraPrepared(
    _ camera: (any OperableCamera)?, number: Int, format: CameraFormat, _ policy: ControlPolicy,
    now: MonotonicTime
  ) {
    let isOther = self.number.map { $0 != number } ?? false
    isOpen = true
    isKnown = false
    self.number = number
    self.policy = policy
    framesUntilSettled = camera?.framesUntilSettled ?? 0
    interval = Double(format.frameInterval.nanoseconds) / 1e9
    if let duration = priorityAngle.duration(frameInterval: interval) { priority?.duration = duration }
    if isOther { forget() }
    foundMode =
      policy.initialExposureMode == nil ? camera?.values(of: [.exposureMode])[.exposureMode] : nil
    choose(isLogSupported: format.isLog)
    if isWatched || hasWishes { learn(camera, now) }
    guard hasWishes else { return }
    if isOther {
      reapplication = now + policy.debounce
      unsettle()
    } else if isAgain || !state.wishes.isEmpty {
      reapply(camera, now)
    }
  }

  /// Whether a camera was operated before, so that its settings must be applied to the opened camera.
  private var isAgain: Bool { !expected.isEmpty || priority != nil || hold != nil || recordingHold != nil }

  /// Forgets the values of the previous camera.
  private mutating func forget() {
    expected = [:]
    state.values = [:]
    state.capabilities = []
    optical = (1, 1)
    read = FrameSettings()
    reads = []
    focus = nil
    nextFocus = nil
    nextFocusLook = nil
  }

  var hasWishes: Bool {
    !state.wishes.isEmpty || priority != nil || hold != nil || recordingHold != nil || state.zoom != 1
  }

  mutating func streamBegan(_ camera: (any OperableCamera)?, now: MonotonicTime) {
    isStreaming = true
    isFirstFrameAwaited = true
    check = camera == nil ? nil : now + policy.verification
    if !expected.isEmpty { unsettle() }
  }

  /// Notes that frames have ended: ends everything that depends on frames.
  mutating func streamEnded(now: MonotonicTime) {
    isStreaming = false
    isFirstFrameAwaited = false
    check = nil
    endRamp(now, .superseded)
    endCountIn()
  }

  /// Notes that the device is about to be closed: answers the commands that cannot continue without it.
  mutating func cameraWillClose(_ camera: (any OperableCamera)?, now: MonotonicTime) {
    if state.torch > 0 || countIn != nil { douse(camera, now) }
    giveBackExposure(camera)
    streamEnded(now: now)
    isOpen = false
    isKnown = false
    nextFocusLook = nil
    stale = []
    if focus != nil || nextFocus != nil {
      focus = nil
      nextFocus = nil
      state.focus = .continuous
    }
  }

  /// Queries the device's capabilities and settings, once.
  mutating func learn(_ camera: (any OperableCamera)?, _ now: MonotonicTime) {
    guard isOpen, !isKnown else { return }
    isKnown = true
    let given = camera?.capabilities() ?? []
    deviceZoom = given.first { $0.control == .zoom && $0.isPresent }
    if deviceZoom == nil { optical = (1, 1) }
    state.capabilities = ControlOffer.complete(given, isOperable: camera != nil, interval: interval)
    forgetAbsent()
    polled = given.filter { $0.isPresent && !$0.control.isDriversOwn }.map(\.control)
    refresh(given.filter(\.isPresent).map(\.control), camera)
    nextPoll = max(nextPoll, now)
    noteSoftware()
    let hasFocus = state.capability(.focusMode)?.isPresent ?? false
    if !hasFocus || state.focus == .unsupported { state.focus = hasFocus ? .continuous : .unsupported }
  }

  /// Notes the values of controls that the engine implements: they are known without a device.
  private mutating func noteSoftware() {
    if state.capability(.exposureBias)?.origin == .software {
      state.values[.exposureBias] = .number(state.digitalExposureBias)
    } else {
      state.digitalExposureBias = 0
    }
    if state.values[.zoom] == nil { state.values[.zoom] = .number(state.zoom) }
  }

  /// Forgets controls that are missing now: a camera that returns may have lost some.
  private mutating func forgetAbsent() {
    let present = Set(state.capabilities.filter(\.isPresent).map(\.control))
    for control in Array(state.values.keys) where !present.contains(control) {
      state.values[control] = nil
      expected[control] = nil
    }
  }

  // MARK: Frames and time

  /// The next time at which the operator has work that no frame triggers; nil if there is none.
  var due: MonotonicTime? {
    guard isStreaming else { return nil }
    let poll = isWatched && !polled.isEmpty ? nextPoll + policy.polling : nil
    let step = countIn.map { $0.began + $0.steps[$0.next].time }
    // Uses no array, because this runs for every frame.
    func earlier(_ left: MonotonicTime?, _ right: MonotonicTime?) -> MonotonicTime? {
      guard let left, let right else { return left ?? right }
      return min(left, right)
    }
    let wishes = earlier(reapplication, check)
    let lens = earlier(nextFocusLook, ramp?.ramp.end)
    return earlier(earlier(wishes, lens), earlier(poll, step))
  }

  mutating func tick(_ camera: (any OperableCamera)?, now: MonotonicTime) {
    if let time = reapplication, now >= time { reapply(camera, now) }
    if let time = check, now >= time {
      check = nil
      checkStart(camera, now)
    }
    advanceRamp(camera, now)
    advanceCountIn(camera, now)
    lookAtFocus(camera, now)
    readStale(camera)
    poll(camera, now)
  }

  /// Handles a frame after it was passed on, in the time until the next frame.
  mutating func frameCame(
    _ image: CapturedImage, _ camera: (any OperableCamera)?, now: MonotonicTime, meter: () -> Double?
  ) {
    if isFirstFrameAwaited {
      isFirstFrameAwaited = false
      if !expected.isEmpty, reapplication == nil { verify(camera, now) }
    }
    advanceRamp(camera, now)
    followLight(image, camera, now: now, meter: meter)
    readStale(camera)
    poll(camera, now)
    if !state.isSettled, reapplication == nil, image.exposureTime >= settlesAt { state.isSettled = true }
  }

  /// Notes controls that the device, or another program, has changed.
  mutating func note(_ changed: [CameraControl], _ camera: (any OperableCamera)?, now: MonotonicTime) {
    guard isWatched else { return }
    for control in changed where stale.count < Self.mostStale && !stale.contains(control) {
      stale.append(control)
    }
    readStale(camera)
  }

  /// Reads some of the changed controls. Reading all at once could delay frames.
  private mutating func readStale(_ camera: (any OperableCamera)?) {
    guard !stale.isEmpty else { return }
    let some = Array(stale.prefix(Self.mostReads))
    stale.removeFirst(some.count)
    refresh(some, camera)
  }

  /// Notes the time that the device's answers took. A slow device is asked less often, so that half of the time is left for frames.
  mutating func noteCost(_ cost: Duration, at now: MonotonicTime) {
    noteReads(at: now)
    guard cost > .milliseconds(1) else { return }
    nextPoll = max(nextPoll, now + cost)
  }

  private mutating func poll(_ camera: (any OperableCamera)?, _ now: MonotonicTime) {
    guard isWatched, isStreaming, now >= nextPoll, !polled.isEmpty, let camera else { return }
    // Read only a few controls at a time, so that no frame waits long; each is read once within the polling time.
    nextPoll = max(nextPoll, now.advanced(by: .zero - policy.polling))
    var reads = 0
    while nextPoll <= now, reads < Self.mostReads {
      reads += 1
      pollIndex = (pollIndex + 1) % polled.count
      refresh([polled[pollIndex]], camera)
      nextPoll = nextPoll + max(policy.polling / polled.count, .milliseconds(1))
    }
  }

  /// Reads the present values of these controls.
  mutating func refresh(_ controls: [CameraControl], _ camera: (any OperableCamera)?) {
    guard let camera, !controls.isEmpty else { return }
    for (control, value) in camera.values(of: controls) { noteValue(value, of: control) }
  }

  mutating func noteValue(_ value: CameraControlValue, of control: CameraControl) {
    // Ignore values that are not finite numbers.
    guard value.isFinite else { return }
    if control == .zoom, let factor = value.number { noteOptics(factor) }
    let shown = control == .zoom ? CameraControlValue.number(state.zoom) : value
    if state.values[control] != shown { state.values[control] = shown }
    switch control {
    case .exposureDuration:
      read.exposureDuration = value.number
      if let duration = value.number, let angle = ShutterAngle(duration: duration, frameInterval: interval) {
        let shown = CameraControlValue.number(angle.degrees)
        if state.values[.shutterAngle] != shown { state.values[.shutterAngle] = shown }
      }
    case .iso: read.iso = value.number
    case .exposureBias: read.exposureBias = value.number
    case .whiteBalanceTemperature: read.whiteBalanceTemperature = value.number
    case .lensPosition: read.lensPosition = value.number
    case .exposureMode:
      // Ignore the mode that the driver sets at stream start: it is not the mode to restore.
      if check == nil { foundMode = value }
      noteMode(value, of: control)
    case .whiteBalanceMode, .focusMode: noteMode(value, of: control)
    default: break
    }
  }

  private mutating func noteMode(_ value: CameraControlValue, of control: CameraControl) {
    markInactive()
    guard control == .whiteBalanceMode, let lock = state.capability(.whiteBalanceLock), lock.origin != .device
    else { return }
    let isLocked = CameraControlValue.flag(value == .choice("manual"))
    if state.values[.whiteBalanceLock] != isLocked { state.values[.whiteBalanceLock] = isLocked }
  }

  // MARK: Settings of a frame

  /// The settings of a frame, as far as they are known, and those that the outputs must apply.
  mutating func settings(of image: CapturedImage, now: MonotonicTime) -> FrameSettings {
    if let ramp { state.zoom = ramp.ramp.factor(at: now) }
    var settings = image.settings ?? read(at: image.exposureTime)
    let isAfter = image.exposureTime >= settlesAt && reapplication == nil
    tellsOwn = image.settings != nil
    settings.isSettled =
      tellsOwn ? settings.isSettled && reapplication == nil && hasExpected(settings) : isAfter
    let lens = settings.zoom ?? (isAfter ? optical.present : optical.former)
    settings.digitalZoom = min(max(1, state.zoom / max(lens, 1e-6)), ControlOffer.mostDigitalZoom)
    settings.zoom = lens * settings.digitalZoom
    if settings.digitalZoom != state.digitalZoom { state.digitalZoom = settings.digitalZoom }
    settings.digitalExposureBias = state.digitalExposureBias
    return settings
  }

  /// Whether the settings that the device reports match the expected ones within 2 %.
  private func hasExpected(_ settings: FrameSettings) -> Bool {
    func isNear(_ value: Double?, _ control: CameraControl) -> Bool {
      guard let value, let wanted = expected[control]?.number else { return true }
      return abs(value - wanted) <= max(abs(wanted) / 50, 1e-9)
    }
    return isNear(settings.exposureDuration, .exposureDuration) && isNear(settings.iso, .iso)
      && isNear(settings.exposureBias, .exposureBias)
      && isNear(settings.whiteBalanceTemperature, .whiteBalanceTemperature)
      && isNear(settings.lensPosition, .lensPosition)
  }

  /// Notes that a change is under way.
  mutating func unsettle(until time: MonotonicTime = .distantFuture) {
    settlesAt = time
    if state.isSettled { state.isSettled = false }
  }

  /// Notes that a change was made: frames count as settled again after `framesUntilSettled` frame intervals.
  mutating func beginSettling(_ now: MonotonicTime) {
    guard isStreaming, framesUntilSettled > 0 || settlesAt == .distantFuture else { return }
    // A change during an earlier change never shortens the wait for the earlier one.
    let end = now + .nanoseconds(Int64(Double(framesUntilSettled) * interval * 1e9))
    unsettle(until: settlesAt == .distantFuture ? end : max(end, settlesAt))
  }
}

extension CameraControl {
  /// Whether the control belongs to one driver only.
  var isDriversOwn: Bool { rawValue.utf8.starts(with: "v4l2:".utf8) }
}

extension CameraFormat {
  /// Whether the format is for grading: BT.2020 in ten bits.
  package var isLog: Bool { image.color.matrix == .bt2020 && image.pixelFormat.isWide }
}

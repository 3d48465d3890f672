import System

// MARK: - Focus

extension CameraOperator {
  /// Focuses at a point. Does not change the exposure.
  mutating func focus(
    x: Double, y: Double, locks: Bool, _ camera: (any OperableCamera)?, _ now: MonotonicTime
  ) -> CameraControlResult {
    let wanted = CameraControlValue.point(x: x, y: y)
    func refused(_ reason: String) -> CameraControlResult {
      CameraControlResult(.focusPoint, wanted: wanted, refusal: "cannot focus: \(reason)")
    }
    guard x.isFinite, y.isFinite else { return refused("a point must be two numbers from 0 to 1") }
    guard isOpen else { return refused("no camera is open; start the session") }
    guard let camera, let mode = state.capability(.focusMode), mode.isSettable else {
      return refused(state.capability(.focusMode)?.absence ?? "this camera has no focus that can be set")
    }
    let point = CameraControlValue.point(x: min(max(x, 0), 1), y: min(max(y, 0), 1))
    let hasRegion = state.capability(.focusPoint)?.isSettable ?? false
    state.focusPoint = point
    var batch = ControlBatch()
    let note: CameraControlResult.Note = !hasRegion ? .ignored : point == wanted ? .exact : .clamped
    if hasRegion { batch.add(.focusPoint, point, note: note, place: 0) }
    if state.values[.focusMode] != .choice("continuous"), mode.choices?.contains("continuous") ?? false {
      batch.add(.focusMode, .choice("continuous"))
    }
    let isFresh = state.focus == .continuous
    var results = [CameraControlResult(.focusPoint, wanted: wanted, took: nil, note: note)]
    send(batch, &results, camera: camera, now: now)
    if results[0].refusal != nil { return results[0] }
    state.wishes[.focusMode] = nil
    state.wishes[.lensPosition] = nil
    beginFocus(locks: locks, isFresh, camera, now: now)
    return results[0]
  }

  /// Begins a focus run. If the focus was not `continuous`, that state comes first and is published for a moment.
  private mutating func beginFocus(
    locks: Bool, _ isFresh: Bool, _ camera: any OperableCamera, now: MonotonicTime
  ) {
    focus = nil
    nextFocusLook = now + FocusRun.looking
    if !isFresh {
      state.focus = .continuous
      nextFocus = locks
    } else {
      startRun(locks: locks, camera, now)
    }
  }

  private mutating func startRun(locks: Bool, _ camera: any OperableCamera, _ now: MonotonicTime) {
    nextFocus = nil
    if state.capability(.focusMode)?.choices?.contains("single") ?? false {
      apply([ControlSetting(.focusMode, .choice("single"))], camera, now: now)
    }
    let run = FocusRun(locks: locks, at: now)
    focus = run
    state.focus = run.state
    nextFocusLook = now + FocusRun.looking
  }

  mutating func lookAtFocus(_ camera: (any OperableCamera)?, _ now: MonotonicTime) {
    guard let look = nextFocusLook, now >= look, let camera else { return }
    nextFocusLook = now + FocusRun.looking
    if let locks = nextFocus { return startRun(locks: locks, camera, now) }
    guard var run = focus else {
      nextFocusLook = nil
      return
    }
    let told: [CameraControl] = [.focusStatus, .lensPosition]
    refresh(told.filter { state.capability($0)?.isPresent ?? false }, camera)
    let hasStatus = state.capability(.focusStatus)?.isPresent ?? false
    let action = run.look(
      status: hasStatus ? state.values[.focusStatus]?.choice ?? "idle" : nil,
      position: state.values[.lensPosition]?.number, at: now)
    focus = run
    switch action {
    case nil: return
    case .focusContinuously: apply([ControlSetting(.focusMode, .choice("continuous"))], camera, now: now)
    case .lock: lock(camera, now)
    }
    focus = nil
    nextFocusLook = nil
    state.focus = run.state
  }

  private mutating func lock(_ camera: any OperableCamera, _ now: MonotonicTime) {
    let position = state.values[.lensPosition]
    apply([ControlSetting(.focusMode, .choice("locked"))], camera, now: now)
    state.wishes[.focusMode] = .choice("locked")
    state.wishes[.lensPosition] = position
  }

  /// Updates the focus state after the focus mode was set directly.
  mutating func noteFocusMode(_ took: CameraControlValue, of control: CameraControl) {
    guard control == .focusMode, focus == nil, nextFocus == nil else { return }
    switch took {
    case .choice("locked") where state.focus != .lockedUnreached: state.focus = .locked
    case .choice("continuous"): state.focus = .continuous
    case .number, .point, .flag, .choice: break
    }
  }
}

// MARK: - Zoom

extension CameraOperator {
  /// Zooms with the device as far as it can, then by cropping, from the next frame on.
  mutating func zoom(
    to value: CameraControlValue, _ wanted: CameraControlValue, _ note: CameraControlResult.Note,
    camera: (any OperableCamera)?, now: MonotonicTime
  ) -> CameraControlResult {
    guard let factor = value.number else {
      return CameraControlResult(.zoom, wanted: wanted, refusal: "cannot zoom: the factor must be a number")
    }
    endRamp(now, .superseded)
    show(factor, camera, now: now)
    return CameraControlResult(.zoom, wanted: wanted, took: .number(state.zoom), note: note)
  }

  private mutating func show(_ factor: Double, _ camera: (any OperableCamera)?, now: MonotonicTime) {
    state.zoom = factor
    setOptics(for: factor, camera, now)
    // The total zoom is never below the device's own zoom.
    state.zoom = max(factor, optical.present)
    state.digitalZoom = min(max(1, state.zoom / max(optical.present, 1e-6)), ControlOffer.mostDigitalZoom)
    state.values[.zoom] = .number(state.zoom)
  }

  /// Sets the device's zoom to its nearest value not above the zoom factor `factor`.
  private mutating func setOptics(
    for factor: Double, _ camera: (any OperableCamera)?, _ now: MonotonicTime
  ) {
    guard let camera, let deviceZoom, deviceZoom.isSettable else { return }
    let part = deviceZoom.floor(factor)
    guard part != optical.present else { return }
    let answer = camera.set([(.zoom, .number(part))]).first
    if let refusal = answer?.refusal { note(finding: refusal) }
    guard let took = answer?.took?.number else { return }
    optical = (took, optical.present)
    expected[.zoom] = .number(took)
    beginSettling(now)
  }

  /// Notes the device's zoom. If it differs from the value that was set, another program has zoomed.
  mutating func noteOptics(_ factor: Double) {
    optical.present = factor
    guard ramp == nil, state.zoom != factor else { return }
    if let wanted = expected[.zoom]?.number {
      // Ignore a change by the start of the stream: nobody requested that zoom.
      let isSettled = isStreaming && !isFirstFrameAwaited && reapplication == nil
      guard isSettled, abs(wanted - factor) > 1e-6 else { return }
      expected[.zoom] = .number(factor)
      state.zoom = factor
    } else if state.wishes[.zoom] == nil, state.zoom == 1 {
      state.zoom = factor
    }
  }

  // MARK: Ramps

  mutating func beginRamp(_ order: ControlOrder, to factor: Double, rate: Double, _ now: MonotonicTime) {
    let wanted = CameraControlValue.number(factor)
    let fitted = state.capability(.zoom)?.fitted(wanted)
    guard let target = fitted?.value?.number, let note = fitted?.note else {
      let reason = fitted?.refusal ?? "cannot zoom: the camera reports no zoom"
      return answer(order, [CameraControlResult(.zoom, wanted: wanted, refusal: reason)])
    }
    guard rate > 0, rate.isFinite else {
      return answer(
        order,
        [
          CameraControlResult(
            .zoom, wanted: wanted,
            refusal: "cannot zoom at \(rate) doublings a second; give a rate above zero")
        ])
    }
    endRamp(now, .superseded)
    ramp = RunningRamp(
      ramp: ZoomRamp(from: state.zoom, to: target, rate: rate, at: now), order: order, note: note)
    state.zoomTarget = target
  }

  mutating func advanceRamp(_ camera: (any OperableCamera)?, _ now: MonotonicTime) {
    guard let ramp else { return }
    show(ramp.ramp.factor(at: now), camera, now: now)
    if now >= ramp.ramp.end { endRamp(now, ramp.note) }
  }

  /// Stops the zoom where it is.
  mutating func endRamp(_ now: MonotonicTime, _ note: CameraControlResult.Note) {
    guard let running = ramp else { return }
    ramp = nil
    state.zoomTarget = nil
    let here = CameraControlValue.number(state.zoom)
    state.wishes[.zoom] = here
    state.values[.zoom] = here
    answer(
      running.order,
      [CameraControlResult(.zoom, wanted: .number(running.ramp.target), took: here, note: note)])
  }

  mutating func cancelRamp(_ now: MonotonicTime) -> CameraControlResult {
    endRamp(now, .superseded)
    return CameraControlResult(.zoom, wanted: .choice("here"), took: .number(state.zoom))
  }
}

extension CaptureSession {
  /// The present state of the controls and every one after it; at most one for each frame.
  ///
  /// ```swift
  /// for await controls in await session.controlStates() {
  ///   if let iso = controls.values[.iso]?.number { print("ISO \(Int(iso))") }
  /// }
  /// ```
  public func controlStates() -> AsyncStream<ControlsState> {
    capture.operate(.watch)
    return news.controls.listen(from: [controls])
  }

  /// Sets controls, all at once: several changes are one request to the device.
  ///
  /// ```swift
  /// let results = await session.set([(.iso, .number(400)), (.exposureDuration, .number(1 / 50))])
  /// ```
  ///
  /// Calls are taken in their order, whoever makes them. What is set is a wish that the session keeps: it is set again when another camera is
  /// taken and when a camera returns. Without an open camera it is set when there is one, and the result says `deferred`.
  ///
  /// A value that belongs to a mode switches to that mode: an exposure time or an ISO makes the exposure manual, a temperature the white
  /// balance, a lens position locks the focus.
  /// - Returns: one result for each value, in their order. A session that is stopped before answers each with a refusal.
  @discardableResult
  public func set(_ values: [(control: CameraControl, value: CameraControlValue)]) async
    -> [CameraControlResult]
  {
    await operate(.set(values.map { ControlSetting($0.control, $0.value) }))
  }

  /// Sets one control; see ``set(_:)``.
  @discardableResult
  public func set(_ control: CameraControl, to value: CameraControlValue) async -> CameraControlResult {
    await set([(control, value)])[0]
  }

  /// Sets these controls to what the device starts with, and wishes nothing of them any more.
  @discardableResult
  public func reset(_ controls: [CameraControl]) async -> [CameraControlResult] {
    await operate(.reset(controls))
  }

  // MARK: Exposure

  /// Exposure and gain stay as they are from the next frame on, or go on as before. Refused while shutter priority is on.
  @discardableResult
  public func lockExposure(_ isLocked: Bool = true) async -> CameraControlResult {
    await operate(.lockExposure(isLocked))[0]
  }

  /// Holds the exposure time at an angle of the frame interval, and lets the sensitivity follow the light. Ends a lock of the exposure.
  /// The time follows the frame rate.
  /// - Parameter angle: in degrees, clamped to 1.1…360; the default is the half of the interval that film cameras are built for.
  @discardableResult
  public func enableShutterPriority(angle: Double = 180) async -> CameraControlResult {
    await operate(.shutterPriority(angle: angle))[0]
  }

  /// The exposure is automatic again.
  @discardableResult
  public func disableShutterPriority() async -> CameraControlResult {
    await operate(.shutterPriority(angle: nil))[0]
  }

  /// A recording begins: exposure time and sensitivity stay as they are, whatever mode they were in. Does not change
  /// ``ControlsState/isExposureLocked``.
  @discardableResult
  public func lockForRecording() async -> CameraControlResult { await operate(.lockForRecording(true))[0] }

  /// The recording is over: the exposure goes on in the mode that it was in.
  @discardableResult
  public func unlockAfterRecording() async -> CameraControlResult {
    await operate(.lockForRecording(false))[0]
  }

  // MARK: Lens

  /// Focuses at a point, once, and continuously from then on. Leaves the exposure alone.
  /// - Parameters: from 0 to 1 in the stored picture (``PreviewGeometry``); clamped.
  @discardableResult
  public func focus(x: Double, y: Double) async -> CameraControlResult {
    await operate(.focus(x: x, y: y, locks: false))[0]
  }

  /// Focuses at a point, and holds the focus once it is reached, or after 2 seconds: ``ControlsState/focus`` says which.
  @discardableResult
  public func lockFocus(x: Double, y: Double) async -> CameraControlResult {
    await operate(.focus(x: x, y: y, locks: true))[0]
  }

  /// Focuses continuously again.
  @discardableResult
  public func unlockFocus() async -> CameraControlResult {
    await operate(.set([ControlSetting(.focusMode, .choice("continuous"))]))[0]
  }

  /// Zooms evenly to a factor. Returns when it is there, or was cancelled or overtaken.
  /// - Parameters:
  ///   - factor: clamped to what the camera and the crop have.
  ///   - rate: doublings a second; above zero.
  @discardableResult
  public func rampZoom(to factor: Double, rate: Double) async -> CameraControlResult {
    await operate(.rampZoom(to: factor, rate: rate))[0]
  }

  /// The zoom stays where it is; the ramp under way is answered as `superseded`.
  public func cancelZoomRamp() async { _ = await operate(.cancelZoomRamp) }

  // MARK: Light

  /// Lights the torch, after three flashes that grow dimmer where `countsIn`. It goes out when the device is closed.
  /// - Parameter level: 0.001…1, clamped; 0 puts it out.
  @discardableResult
  public func lightTorch(_ level: Double, countsIn: Bool = false) async -> CameraControlResult {
    await operate(.torch(level: level, countsIn: countsIn))[0]
  }
}

// MARK: - One command

extension CaptureSession {
  /// Hands the command to whoever touches the device. Commands are taken in the order of these calls.
  func operate(_ command: ControlCommand) async -> [CameraControlResult] {
    let clock = clock
    // Operating a camera counts as activity.
    if machine.pause == nil { apply(.activity) }
    let answer = await withCheckedContinuation { (waiting: CheckedContinuation<ControlAnswer, Never>) in
      capture.operate(
        ControlOrder(command) { answer in
          clock.workBegan()
          waiting.resume(returning: answer)
        })
    }
    adopt(answer.update)
    clock.workEnded()
    return answer.results
  }

  /// The newest state counts, whichever way it came.
  func adopt(_ update: ControlsUpdate) {
    guard update.number > controlsNumber else { return }
    controls = update.state
    controlsNumber = update.number
    news.controls.tell(update.state)
  }
}

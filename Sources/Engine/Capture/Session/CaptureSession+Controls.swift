extension CaptureSession {
  /// A stream of the state of the controls: the present one and every later one, at most one for each frame.
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

  /// Sets controls all at once, with one request to the device.
  ///
  /// ```swift
  /// let results = await session.set([(.iso, .number(400)), (.exposureDuration, .number(0.02))])
  /// ```
  ///
  /// Calls take effect in their order, whoever makes them. The session remembers each value as a wish: it sets it again after a change of
  /// camera and when a camera returns. Without an open camera, the value is set as soon as there is one, and the result says `deferred`.
  ///
  /// A value that needs a mode switches to that mode: an exposure time or an ISO makes the exposure manual, a temperature the white
  /// balance, a lens position locks the focus.
  /// - Returns: one result for each value, in order. If the session is stopped first, all values are refused.
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

  /// Sets these controls to the device's defaults and forgets their wishes.
  @discardableResult
  public func reset(_ controls: [CameraControl]) async -> [CameraControlResult] {
    await operate(.reset(controls))
  }

  // MARK: Exposure

  /// Locks exposure and gain from the next frame on, or unlocks them. Refused while shutter priority is on.
  @discardableResult
  public func lockExposure(_ isLocked: Bool = true) async -> CameraControlResult {
    await operate(.lockExposure(isLocked))[0]
  }

  /// Holds the exposure time at an angle of the frame interval, and lets the sensitivity follow the light. Ends an exposure lock.
  /// The time follows the frame rate.
  /// - Parameter angle: the shutter angle, in degrees, clamped to 1.1…360; the default is half of the interval, as in film cameras.
  @discardableResult
  public func enableShutterPriority(angle: Double = 180) async -> CameraControlResult {
    await operate(.shutterPriority(angle: angle))[0]
  }

  /// Makes the exposure automatic again.
  @discardableResult
  public func disableShutterPriority() async -> CameraControlResult {
    await operate(.shutterPriority(angle: nil))[0]
  }

  /// Locks exposure time and sensitivity in any mode, because a recording begins. Does not change
  /// ``ControlsState/isExposureLocked``.
  @discardableResult
  public func lockForRecording() async -> CameraControlResult { await operate(.lockForRecording(true))[0] }

  /// Ends the lock for a recording: the exposure continues in its previous mode.
  @discardableResult
  public func unlockAfterRecording() async -> CameraControlResult {
    await operate(.lockForRecording(false))[0]
  }

  // MARK: Lens

  /// Focuses at a point once, then continuously. Does not change the exposure.
  /// - Parameters: from 0 to 1 in the stored picture (``PreviewGeometry``); clamped.
  @discardableResult
  public func focus(x: Double, y: Double) async -> CameraControlResult {
    await operate(.focus(x: x, y: y, locks: false))[0]
  }

  /// Focuses at a point, and locks the focus once it is reached, or after 2 seconds: ``ControlsState/focus`` tells whether it was reached.
  @discardableResult
  public func lockFocus(x: Double, y: Double) async -> CameraControlResult {
    await operate(.focus(x: x, y: y, locks: true))[0]
  }

  /// Returns to continuous focus.
  @discardableResult
  public func unlockFocus() async -> CameraControlResult {
    await operate(.set([ControlSetting(.focusMode, .choice("continuous"))]))[0]
  }

  /// Zooms to a zoom factor at a constant rate. Returns when that is reached, or when the ramp was cancelled or replaced.
  /// - Parameters:
  ///   - factor: the zoom factor to reach (1 shows the whole picture), clamped to the range of the camera and the crop.
  ///   - rate: the speed in doublings of the zoom factor a second; above zero.
  @discardableResult
  public func rampZoom(to factor: Double, rate: Double) async -> CameraControlResult {
    await operate(.rampZoom(to: factor, rate: rate))[0]
  }

  /// Stops the zoom where it is; the running ramp returns `superseded`.
  public func cancelZoomRamp() async { _ = await operate(.cancelZoomRamp) }

  // MARK: Light

  /// Lights the torch; if `countsIn`, after three flashes that grow dimmer. The torch goes out when the device is closed.
  /// - Parameter level: the brightness, 0.001…1 of the torch's greatest, clamped; 0 turns it off.
  @discardableResult
  public func lightTorch(_ level: Double, countsIn: Bool = false) async -> CameraControlResult {
    await operate(.torch(level: level, countsIn: countsIn))[0]
  }
}

// MARK: - One command

extension CaptureSession {
  /// Passes the command to the thread that owns the device. Commands are executed in the order of these calls.
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

  /// Adopts an update unless a newer one was adopted already: updates may arrive out of order.
  func adopt(_ update: ControlsUpdate) {
    guard update.number > controlsNumber else { return }
    controls = update.state
    controlsNumber = update.number
    news.controls.tell(update.state)
  }
}

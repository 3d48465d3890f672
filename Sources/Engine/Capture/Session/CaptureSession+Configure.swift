import System

extension CaptureSession {
  /// The present setup: source, configuration and outputs.
  public var setup: SessionSetup { plan.now(router.all, rotation) }

  /// Changes the session's source, configuration and outputs, several changes at once. The counterpart of AVFoundation's
  /// `beginConfiguration()` and `commitConfiguration()`.
  ///
  /// ```swift
  /// try await session.configure { setup in
  ///   setup.source = V4L2Source(path: "/dev/video2")
  ///   setup.configuration.chooseFormat = {
  ///     FormatFinder(size: PixelSize(width: 1920, height: 1080)).best(of: $0)
  ///   }
  ///   setup.remove(analysis)
  ///   setup.add(photos)
  /// }
  /// ```
  ///
  /// Outputs can be added and removed while the session runs. A removed output gets no further frame, its waiting photos fail with
  /// `outputRemoved`, and it has ended when this returns; it may be added again, to any session. The device is restarted only for another source,
  /// or if `chooseFormat` chooses another format, and only once for all changes. During the restart the state is `starting`, and photos
  /// are refused. This returns when the new stream has started. In a session without a device (idle, paused, failed, ended) it returns
  /// at once, and the change takes effect at the next start. In a session that waits for its camera to come back, another source is opened
  /// at once, and another format takes effect when the camera is back.
  ///
  /// Calls are executed one after another, after a still of another size that is under way. A call that has begun is completed, even
  /// if its task is cancelled.
  /// - Parameter changes: gets the setup at the time when this call is executed. Properties that it does not change stay as they are.
  /// - Throws: the errors of `start()` if a change fails. The session then has its former setup again, and its former camera runs
  ///   again. If that camera is not available either, the session is interrupted or failed, and its state gives the reason.
  public func configure(
    _ changes: @escaping @Sendable (inout SessionSetup) -> Void
  ) async throws(SessionError) {
    while true {
      if let still {
        _ = await still.result
      } else if let changing {
        _ = await changing.value
      } else {
        break
      }
    }
    try await reconfigure(changes)
  }

  /// Like `configure`, without waiting for a still: the still itself uses this to change the format for a while.
  func reconfigure(
    _ changes: @escaping @Sendable (inout SessionSetup) -> Void
  ) async throws(SessionError) {
    while let changing { _ = await changing.value }
    let task = Task { await take(changes) }
    changing = task
    if let failure = await task.value { throw failure }
  }

  /// Removes an output: it gets no further frame, its waiting photos fail with `outputRemoved`, and it has ended when this
  /// returns. An output that was not added is ignored.
  public func remove(_ output: any FrameOutput) async {
    // Removing an output needs no camera, so this cannot fail.
    try? await configure { $0.remove(output) }
  }

  // MARK: - One change

  private func take(_ changes: @Sendable (inout SessionSetup) -> Void) async -> SessionError? {
    defer { changing = nil }
    while let ending { await ending.value }
    await waitUntilSettled()
    let former = setup
    var wanted = former
    changes(&wanted)
    let (added, removed) = (wanted.outputs(missingIn: former), former.outputs(missingIn: wanted))
    let isToRestart: Bool
    do throws(CameraError) {
      isToRestart = try needsRestart(wanted, former)
      try await add(added)
    } catch {
      return .camera(error)
    }
    for case let photos as PhotoOutput in removed { photos.fail(with: .outputRemoved) }
    let begun = router.detach(removed)
    adopt(wanted, former)
    let failure = await isToRestart ? restart(orElse: former) : nil
    if !isToRestart { postPlan() }
    let isRejected = rejection != nil
    rejection = nil
    if isRejected {
      former.configuration.apply(to: rotation)
      await giveBack(removed, begun: begun)
    }
    await end(isRejected ? router.detach(added) : begun)
    for output in isRejected ? added : removed { router.drops.forget(ObjectIdentifier(output)) }
    return failure.map { .camera($0) }
  }

  /// - Throws: an error if the open camera has no format that the new `chooseFormat` accepts.
  private func needsRestart(_ wanted: SessionSetup, _ former: SessionSetup) throws(CameraError) -> Bool {
    guard wanted.sourceNumber == former.sourceNumber else { return true }
    guard machine.stage == .prepared || machine.stage == .streaming, let camera else { return false }
    guard let choice = wanted.configuration.chooseFormat(camera.formats) else {
      throw .nothing(chosenFrom: camera.formats, of: wanted.source.specification)
    }
    return choice != wish
  }

  /// Adds outputs, and starts them if the session has begun.
  /// - Throws: an error if an output cannot start; in this case none is added.
  private func add(_ outputs: [any FrameOutput]) async throws(CameraError) {
    for output in outputs { router.add(output) }
    guard life != nil, !outputs.isEmpty else { return }
    do throws(ResourceShortage) { try router.begin() } catch {
      await end(router.detach(outputs))
      throw CameraError(error, source: plan.source.specification)
    }
  }

  private func adopt(_ wanted: SessionSetup, _ former: SessionSetup) {
    plan = wanted
    wanted.configuration.apply(to: rotation)
    let isOtherLimit = wanted.configuration.inactivityTimeout != former.configuration.inactivityTimeout
    if isOtherLimit, machine.pause == nil { apply(.activity) }
  }

  /// - Returns: the error if the device should run and cannot be started with the present plan; otherwise nil.
  private func restart(orElse former: SessionSetup) async -> CameraError? {
    let isLive = machine.goal != .closed
    if isLive { timeline = StartTimeline(requested: clock.now()) }
    fallback = former
    apply(.renew)
    await waitUntilSettled()
    fallback = nil
    return rejection ?? (isLive ? machine.failure : nil)
  }

  /// Restores the former setup, because the new one does not work. The capture thread gets it with the next command.
  func revert(after error: CameraError) {
    rejection = error
    if let fallback { plan = fallback }
  }

  /// Adds removed outputs again. If the session was stopped meanwhile, they end like all others.
  private func giveBack(_ outputs: [any FrameOutput], begun: [any FrameOutput]) async {
    let isOver = life == nil
    router.attach(outputs, begun: isOver ? [] : begun)
    if isOver { await end(begun) }
  }

  private func end(_ outputs: [any FrameOutput]) async {
    guard !outputs.isEmpty else { return }
    let router = router
    await NamedThread.aside(name: "output-end") { router.end(outputs) }
  }
}

import System

extension CaptureSession {
  /// What the session captures, how, and where it goes, as it is now.
  public var setup: SessionSetup { plan.now(router.all, rotation) }

  /// Changes what the session captures, how, and where it goes: several changes, taken at once. The counterpart of AVFoundation's
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
  /// Outputs come and go while the session runs: one that is removed gets no further frame, photos that wait for it are answered with
  /// `outputRemoved`, and it has ended when this returns; it may be added again, to any session. The device is started anew only for another source, or where
  /// `chooseFormat` chooses another format, and then once, however many changes there are; meanwhile the state is `starting`, and photos
  /// are refused. It returns when the new stream has been started, or, in a session that has no device now (idle, paused, failed, ended),
  /// at once: there the change counts from the next start. In a session that waits for its camera to come back, another source is opened
  /// at once, and another format counts from that return.
  ///
  /// Calls are taken one after another, after a still of another size that is under way, and one that has begun is taken whole, even
  /// when its task is cancelled.
  /// - Parameter changes: is given the setup as it is when its turn has come. What it leaves as it is stays.
  /// - Throws: why a change cannot be taken, as `start()` would; then the session has its former setup again, and its former camera runs
  ///   again. Where even that one cannot be had any more, the session is interrupted or failed, and its state says why.
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

  /// The same, without waiting for a still: for the still itself, which changes the format for a while.
  func reconfigure(
    _ changes: @escaping @Sendable (inout SessionSetup) -> Void
  ) async throws(SessionError) {
    while let changing { _ = await changing.value }
    let task = Task { await take(changes) }
    changing = task
    if let failure = await task.value { throw failure }
  }

  /// Removes an output: it gets no further frame, photos that wait for it are answered with `outputRemoved`, and it has ended when this
  /// returns. One that the session does not have changes nothing.
  public func remove(_ output: any FrameOutput) async {
    // Removing an output asks nothing of the camera, so this cannot fail.
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

  /// - Throws: when the camera that is open has nothing that the new wish takes.
  private func needsRestart(_ wanted: SessionSetup, _ former: SessionSetup) throws(CameraError) -> Bool {
    guard wanted.sourceNumber == former.sourceNumber else { return true }
    guard machine.stage == .prepared || machine.stage == .streaming, let camera else { return false }
    guard let choice = wanted.configuration.chooseFormat(camera.formats) else {
      throw .nothing(chosenFrom: camera.formats, of: wanted.source.specification)
    }
    return choice != wish
  }

  /// Outputs begin, where the session has.
  /// - Throws: when one cannot; then none is added.
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

  /// - Returns: why the device cannot be started with the present plan, when it was to be.
  private func restart(orElse former: SessionSetup) async -> CameraError? {
    let isLive = machine.goal != .closed
    if isLive { timeline = StartTimeline(requested: clock.now()) }
    fallback = former
    apply(.renew)
    await waitUntilSettled()
    fallback = nil
    return rejection ?? (isLive ? machine.failure : nil)
  }

  /// The new setup does not work: what the capture thread is given next is the former.
  func revert(after error: CameraError) {
    rejection = error
    if let fallback { plan = fallback }
  }

  /// Outputs that were removed are back, unless the session was stopped meanwhile: then they end as all others have.
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

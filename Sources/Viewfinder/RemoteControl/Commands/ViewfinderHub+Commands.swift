import Capture
import Imagery
import JSON
import Log
import Recording
import Settings
import System

extension ViewfinderCommand {
  /// Whether the command takes a while, so that later ones are performed meanwhile.
  fileprivate var takesLong: Bool {
    switch self {
    case .takePhoto, .focus, .rampZoom: true
    case .startRecording, .stopRecording, .unlockFocus, .cancelZoom, .pause, .resume, .retry, .set,
      .setExposureBias, .lockExposure, .shutterPriority, .selectLens, .setLook, .setTorch, .selectFormat,
      .setSetting, .setOverlay, .readSpines, .editBook, .deletePhoto, .deleteRecording, .restore, .logOut,
      .dock:
      false
    }
  }
}

extension ViewfinderHub {
  // MARK: A message, from its arrival to its answer

  /// Receives a message of a client. Commands are performed in the order of these calls.
  package nonisolated func take(_ bytes: [UInt8], from client: ControlClient) {
    let message: ClientMessage
    do throws(JSONError) { message = try ClientMessage(bytes) } catch {
      return client.send(.object(["type": .string("error"), "reason": .string(error.reason)]))
    }
    switch message {
    case .clock(let id):
      client.send(
        .object([
          "type": .string("clock"), "id": .string(id),
          "time": .number(Double(MonotonicTime.now().nanoseconds) / 1e6),
        ]))
    case .shown(let evidence):
      guard bytes.count <= ClientMessage.evidenceLimit else {
        return client.send(
          .object([
            "type": .string("error"),
            "reason": .string(
              "a message of type shown must have at most \(ClientMessage.evidenceLimit) bytes"),
          ]))
      }
      publisher.tell(event: "shown", ["evidence": evidence], isEvidence: true)
    case .command(let id, let name, let arguments):
      guard client.beginCommand() else {
        return Self.answer(
          client, id, outcome: .refused("too many commands wait already; wait for their answers"),
          revision: publisher.revision)
      }
      let job = CommandQueue.Job(client: client, id: id, name: name, arguments: arguments)
      drop(queue(of: name).add(job), "it was not begun, because \(name) came after it")
    }
  }

  private nonisolated func queue(of name: String) -> CommandQueue {
    name.begins(exactly: "dock") ? dockCommands : commands
  }

  nonisolated func drop(_ jobs: [CommandQueue.Job], _ reason: String) {
    for job in jobs {
      job.client.endCommand()
      Self.answer(
        job.client, job.id, outcome: .refused("\(job.name): \(reason)"), revision: publisher.revision)
    }
  }

  /// Performs the commands of a queue, one after another.
  func work(through queue: CommandQueue) -> Task<Void, Never> {
    Task { [weak self] in
      for await _ in queue.arrivals { while let job = queue.next() { await self?.perform(job) } }
    }
  }

  private func perform(_ job: CommandQueue.Job) async {
    do throws(JSONError) {
      let command = try ViewfinderCommand(job.name, job.arguments)
      Log.viewfinder.debug("command \(command)")
      guard command.takesLong else { return await finish(job, await perform(command, of: job.client)) }
      // The next command does not wait.
      Task { await finish(job, await perform(command, of: job.client)) }
    } catch {
      await finish(job, .refused("cannot do \(job.name): \(error.reason)"))
    }
  }

  private func finish(_ job: CommandQueue.Job, _ outcome: CommandOutcome) async {
    let revision = await refresh()
    job.client.endCommand()
    Self.answer(job.client, job.id, outcome: outcome, revision: revision)
  }

  private static func answer(
    _ client: ControlClient, _ id: String, outcome: CommandOutcome, revision: Int
  ) {
    var members: [String: JSONValue] = [
      "type": .string("answer"), "id": .string(id), "revision": .whole(revision),
    ]
    switch outcome {
    case .accepted(let result):
      members["status"] = .string("accepted")
      if !result.isEmpty { members["result"] = .object(result) }
    case .refused(let reason):
      members["status"] = .string("refused")
      members["reason"] = .text(reason)
    }
    client.send(.object(members))
  }

  private func perform(_ command: ViewfinderCommand, of client: ControlClient) async -> CommandOutcome {
    switch command {
    case .startRecording(let codec): await startRecording(codec)
    case .stopRecording: await stopRecording()
    case .takePhoto: await takePhoto()
    case .set(let control, let value): Self.outcome(await session.set(control, to: value))
    case .setExposureBias(let value, let isCommit): await setBias(value, isCommit)
    case .lockExposure(let isLocked): Self.outcome(await session.lockExposure(isLocked))
    case .shutterPriority(true): Self.outcome(await session.enableShutterPriority())
    case .shutterPriority(false): Self.outcome(await session.disableShutterPriority())
    case .focus(let x, let y, let locks): await focus(x, y, locks: locks)
    case .unlockFocus: Self.outcome(await session.unlockFocus())
    case .rampZoom(let factor): Self.outcome(await session.rampZoom(to: factor, rate: Self.zoomRate))
    case .cancelZoom: await cancelZoom()
    case .selectLens(let id): await selectLens(id)
    case .setLook(let name, let isActive, let bakesIn): await setLook(name, isActive, bakesIn: bakesIn)
    case .setTorch(let level): Self.outcome(await session.lightTorch(level))
    case .selectFormat(let width, let height, let rate): await selectFormat(width, height, rate: rate)
    case .setSetting(let key, let value): await setSetting(key, value)
    case .setOverlay(let isVisible): await setSetting("isDebugOverlayVisible", .bool(isVisible))
    case .readSpines(let isOn): await readSpines(isOn)
    case .editBook(let id, let title, let author): await editBook(id, title: title, author: author)
    case .deletePhoto(let name): deletePhoto(name)
    case .deleteRecording(let name): await deleteRecording(name)
    case .restore(let name): await restore(name)
    case .pause: await appear(client, isVisible: false)
    case .resume: await appear(client, isVisible: true)
    case .retry: await retry()
    case .logOut: logOut(client)
    case .dock(let name, let arguments): await dock(name, arguments, client: client)
    }
  }

  // MARK: Controls of the camera

  private func focus(_ x: Double, _ y: Double, locks: Bool) async -> CommandOutcome {
    guard let point = stored(x: x, y: y) else {
      return .refused("there is no picture to focus in yet; wait for the first one")
    }
    return Self.outcome(
      locks
        ? await session.lockFocus(x: point.x, y: point.y) : await session.focus(x: point.x, y: point.y))
  }

  private func cancelZoom() async -> CommandOutcome {
    await session.cancelZoomRamp()
    return .accepted()
  }

  /// The zoom rate in doublings per second: a ramp from one end to the other takes a second.
  static let zoomRate = 2.0

  /// Converts a point of the upright picture to the same point of the stored picture.
  private func stored(x: Double, y: Double) -> (x: Double, y: Double)? {
    guard let size = facts.format?.image.size else { return nil }
    return UprightPoint.stored(
      x: min(max(x, 0), 1), y: min(max(y, 0), 1), source: size, facts.angles.preview)
  }

  // MARK: Other commands

  private func appear(_ client: ControlClient, isVisible: Bool) async -> CommandOutcome {
    client.isVisible = isVisible
    await noteViewers()
    return .accepted()
  }

  private func readSpines(_ isOn: Bool) async -> CommandOutcome {
    await configuration.spines?.read(isOn)
      ?? .refused("this viewfinder reads no spines; start it with `swiftwing view --serve --scan`")
  }

  private func editBook(_ id: Int64, title: String?, author: String?) async -> CommandOutcome {
    await configuration.spines?.edit(id, title: title, author: author)
      ?? .refused("this viewfinder shows no library; start it with `swiftwing view --serve --library`")
  }

  private func dock(
    _ name: String, _ arguments: [String: JSONValue], client: ControlClient
  ) async -> CommandOutcome {
    await configuration.dock?.perform(name, arguments, client: client.number)
      ?? .refused("no dock is connected")
  }

  private func setBias(_ value: Double, _ isCommit: Bool) async -> CommandOutcome {
    if let reason = facts.refusal(of: .setExposureBias) {
      return .refused("the exposure bias is not set: \(reason)")
    }
    let present = facts.controls.values[.exposureBias]?.number ?? facts.controls.digitalExposureBias
    var dial = ExposureBiasDial(facts.controls.capability(.exposureBias), value: present)
    let ticks = dial.drag(to: value, at: .now()).compactMap { event -> Double? in
      if case .tick(let tick) = event { tick } else { nil }
    }
    guard bias.sends(dial.value, isCommit: isCommit, present: present, at: .now()) else {
      return .accepted(["sent": .bool(false), "took": .number(known: dial.value)])
    }
    let outcome = Self.outcome(await session.set(.exposureBias, to: .number(dial.value)))
    for tick in ticks { publisher.tell(event: "tick", ["value": .number(known: tick)]) }
    return outcome
  }

  /// Converts the camera's result for a control to an answer.
  static func outcome(_ result: CameraControlResult) -> CommandOutcome {
    if let refusal = result.refusal { return .refused(refusal) }
    var members: [String: JSONValue] = ["note": .string(result.note.rawValue)]
    switch result.took {
    case .number(let number)?: members["took"] = .number(known: number)
    case .flag(let flag)?: members["took"] = .bool(flag)
    case .choice(let choice)?: members["took"] = .text(choice)
    case .point(let x, let y)?: members["took"] = .array([.number(known: x), .number(known: y)])
    case nil: break
    }
    return .accepted(members)
  }

  // MARK: - The session

  /// Ends the session of the page; for a program, the sessions of all pages. The token stays valid as long as the viewfinder runs.
  private func logOut(_ client: ControlClient) -> CommandOutcome {
    guard let session = client.session, !session.isLasting else {
      return .accepted(["pages": .whole(sessions.endAll())])
    }
    sessions.end(session)
    return .accepted()
  }

  private func retry() async -> CommandOutcome {
    do throws(SessionError) { try await session.start() } catch { return .refused("\(error)") }
    return .accepted()
  }

  func selectLens(_ id: String) async -> CommandOutcome {
    guard let index = Int(id), lenses.choices.indices.contains(index) else {
      return .refused("there is no lens \(id.prefix(20)); see camera.lenses")
    }
    do throws(SessionError) { try await session.select(lenses.choices[index]) } catch {
      return .refused("\(error)")
    }
    facts.lens = index
    facts.source = lenses.choices[index].lens.source.specification
    // The user has now chosen the camera, so the reason for the automatic choice no longer applies.
    facts.sourceReason = nil
    return .accepted()
  }

  private func selectFormat(_ width: Int, _ height: Int, rate: Double) async -> CommandOutcome {
    guard recorder.current == .idle else {
      return .refused("the format stays as it is while something is recorded; stop the recording first")
    }
    let finder = FormatFinder(size: PixelSize(width: width, height: height), framesPerSecond: rate)
    guard let formats = facts.camera?.formats, let choice = finder.choice(of: formats) else {
      return .refused("no camera is open yet, so there is no format to choose; wait until pictures come")
    }
    do throws(SessionError) {
      try await session.configure { setup in
        setup.configuration.chooseFormat = { finder.best(of: $0) }
      }
    } catch { return .refused("\(error)") }
    return .accepted(["differences": .array(choice.differences.map { .text($0) })])
  }

  // MARK: - Settings

  private func setSetting(_ name: String, _ value: JSONValue) async -> CommandOutcome {
    guard let key = SettingKey.named(name) else {
      return .refused("there is no setting \(name.prefix(60)); `swiftwing settings` lists them")
    }
    if key.name == "lastLUT", case .string(let path) = value, case .failure(let error) = looks.look(path) {
      return .refused("the look \(path.lastName) cannot be used: \(error)")
    }
    do throws(SettingsError) { adopt(try settingsFile.set(key, to: value)) } catch {
      return .refused("\(error)")
    }
    return .accepted(await applyFormat().map { ["note": .text($0)] } ?? [:])
  }

  private func setLook(_ name: String?, _ isActive: Bool?, bakesIn: Bool?) async -> CommandOutcome {
    var path: String?
    if let name {
      guard let known = name.isEmpty ? "" : looks.path(name) else {
        return .refused("there is no look \(name.prefix(60)); look.looks lists them")
      }
      do throws(LookupError) { _ = try looks.look(known).get() } catch {
        return .refused("the look \(name) cannot be used: \(error)")
      }
      path = known
    }
    facts.look.isActive = isActive ?? (name.map { !$0.isEmpty } ?? facts.look.isActive)
    do throws(SettingsError) {
      adopt(
        try settingsFile.update { settings in
          if let path { settings.look = path }
          if let bakesIn { settings.isLookBakedIn = bakesIn }
        })
    } catch { return .refused("\(error)") }
    return .accepted()
  }
}

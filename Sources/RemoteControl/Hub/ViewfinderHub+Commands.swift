import Capture
import Imagery
import JSON
import Recording
import Settings

extension ViewfinderHub {
  /// A command that is over only after a while, and that others need not wait for: what does it, and how it came out. Nil for all others.
  func takesTime(_ command: ViewfinderCommand) -> (@Sendable () async -> CommandOutcome)? {
    let session = session
    switch command {
    case .takePhoto: return { [self] in await takePhoto() }
    case .focus(let x, let y, let locks):
      guard let point = stored(x: x, y: y) else { return { .refused("there is no picture to focus in yet") } }
      return {
        Self.outcome(
          locks
            ? await session.lockFocus(x: point.x, y: point.y) : await session.focus(x: point.x, y: point.y))
      }
    case .setZoom(let factor, ramps: true):
      return { Self.outcome(await session.rampZoom(to: factor, rate: Self.zoomRate)) }
    default: return nil
    }
  }

  /// Doublings a second: a ramp from one end to the other takes a second.
  static let zoomRate = 2.0

  /// A point of the upright picture, in the stored one.
  private func stored(x: Double, y: Double) -> (x: Double, y: Double)? {
    guard let size = facts.format?.image.size else { return nil }
    return UprightPoint.stored(
      x: min(max(x, 0), 1), y: min(max(y, 0), 1), source: size, facts.angles.preview)
  }

  func perform(_ command: ViewfinderCommand, of client: ControlClient) async -> CommandOutcome {
    switch command {
    case .startRecording(let codec): await startRecording(codec)
    case .stopRecording: await stopRecording()
    case .deleteRecording(let name): await deleteRecording(name)
    case .pause, .resume:
      await {
        client.isVisible = command == .resume
        await noteViewers()
        return .accepted()
      }()
    case .retry: await retry()
    case .setSetting(let key, let value): await setSetting(key, value)
    case .setOverlay(let isVisible): await setSetting("isDebugOverlayVisible", .bool(isVisible))
    case .setLook(let name, let isActive, let bakesIn): await setLook(name, isActive, bakesIn)
    case .selectLens(let id): await selectLens(id)
    case .selectFormat(let width, let height, let rate): await selectFormat(width, height, rate)
    case .readSpines(let isOn):
      await configuration.spines?.read(isOn)
        ?? .refused("this viewfinder reads no spines; start it with `swiftwing view --serve --scan`")
    case .dock(let name, let arguments):
      await configuration.dock?.perform(name, arguments, client: client.number)
        ?? .refused("no dock is connected")
    default: await operate(command)
    }
  }

  /// Controls of the camera.
  private func operate(_ command: ViewfinderCommand) async -> CommandOutcome {
    switch command {
    case .setExposureBias(let value, let isCommit): await setBias(value, isCommit)
    case .setISO(let iso): await set(.iso, .number(iso))
    case .setShutter(let duration): await setShutter(.exposureDuration, duration)
    case .setShutterAngle(let angle): await setShutter(.shutterAngle, angle)
    case .setExposureMode(let mode): await set(.exposureMode, .choice(mode))
    case .lockExposure(let isLocked): Self.outcome(await session.lockExposure(isLocked))
    case .shutterPriority(let isOn):
      Self.outcome(
        isOn ? await session.enableShutterPriority() : await session.disableShutterPriority())
    case .setTemperature(let kelvin): await set(.whiteBalanceTemperature, .number(kelvin))
    case .setWhiteBalanceMode(let mode): await set(.whiteBalanceMode, .choice(mode))
    case .setTint(let tint): await set(.tint, .number(tint))
    case .unlockFocus: Self.outcome(await session.unlockFocus())
    case .setZoom(let factor, _): await set(.zoom, .number(factor))
    case .cancelZoom:
      await {
        await session.cancelZoomRamp()
        return .accepted()
      }()
    case .setTorch(let level): Self.outcome(await session.lightTorch(level))
    case .setStabilization(let isOn): await set(.stabilization, .flag(isOn))
    default: .refused("there is no command of this name")
    }
  }

  private func set(_ control: CameraControl, _ value: CameraControlValue) async -> CommandOutcome {
    Self.outcome(await session.set(control, to: value))
  }

  private func setShutter(_ control: CameraControl, _ number: Double) async -> CommandOutcome {
    guard facts.controls.shutterPriority == nil else {
      return .refused("the shutter is not set: shutter priority holds it; switch that off first")
    }
    return await set(control, .number(number))
  }

  private func setBias(_ value: Double, _ isCommit: Bool) async -> CommandOutcome {
    if let reason = facts.biasRefusal { return .refused("the exposure bias is not set: \(reason)") }
    let present = facts.controls.values[.exposureBias]?.number ?? facts.controls.digitalExposureBias
    var dial = ExposureBiasDial(facts.controls.capability(.exposureBias), value: present)
    let ticks = dial.drag(to: value, at: .now()).compactMap { event -> Double? in
      if case .tick(let tick) = event { tick } else { nil }
    }
    guard bias.sends(dial.value, isCommit: isCommit, present: present, at: .now()) else {
      return .accepted(["sent": .bool(false), "took": .number(known: dial.value)])
    }
    let outcome = await set(.exposureBias, .number(dial.value))
    for tick in ticks { publisher.tell(event: "tick", ["value": .number(known: tick)]) }
    return outcome
  }

  /// What a camera made of a value, as an answer.
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
    return .accepted()
  }

  private func selectFormat(_ width: Int, _ height: Int, _ rate: Double) async -> CommandOutcome {
    guard recorder.current == .idle else {
      return .refused("the format stays as it is while something is recorded; stop the recording first")
    }
    let finder = FormatFinder(size: PixelSize(width: width, height: height), framesPerSecond: rate)
    guard let formats = facts.camera?.formats, let choice = finder.choice(of: formats) else {
      return .refused("no camera is open yet, and so there is no format to choose")
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
    do throws(SettingsError) { adopt(try settingsFile.set(key, to: value)) } catch {
      return .refused("\(error)")
    }
    return .accepted(await applyFormat().map { ["note": .text($0)] } ?? [:])
  }

  private func setLook(_ name: String?, _ isActive: Bool?, _ bakesIn: Bool?) async -> CommandOutcome {
    var path: String?
    if let name {
      guard let known = name.isEmpty ? "" : looks.path(name) else {
        return .refused("there is no look of this name; look.looks lists them")
      }
      guard known.isEmpty || looks.look(known) != nil else {
        return .refused("the look cannot be used: the file is damaged; `swiftwing view --look` says why")
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

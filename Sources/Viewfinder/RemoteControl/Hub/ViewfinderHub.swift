package import Capture
import Imagery
import JSON
import Recording
import Settings
import System

/// The only owner of the camera behind a viewfinder. It performs the commands of all clients one after another, and publishes the state to all.
package actor ViewfinderHub {
  package nonisolated let pictures = PictureHub()
  package nonisolated let publisher = StatePublisher()
  let configuration: ViewfinderConfiguration
  package nonisolated let session: CaptureSession
  let output: PictureOutput
  let photoOutput = PhotoOutput()
  let recorder = RecordingOutput()
  let settingsFile: SettingsFile
  let pace = PreviewPace()
  let lenses: LensList
  let looks: LookShelf
  let deletedPhotos: DeletedFiles
  let deletedRecordings: DeletedFiles
  var facts = ViewfinderFacts()
  var bias = BiasRules()
  /// The format that was last requested from the camera.
  var askedFormat = FormatWish(CameraSettings())
  /// The camera settings that a recording locks.
  var hold: RecordingHold?
  private var isBackground = false
  private var wereViewers = false
  private var lastTold: MonotonicTime?
  private var isTelling = false
  /// The latest collection of the camera's state, running or done.
  private var reading: Task<Void, Never>?
  private var listeners: [Task<Void, Never>] = []

  /// The waiting commands. Commands for a dock have their own queue, since a camera that opens slowly must not delay motors.
  nonisolated let (commands, dockCommands) = (CommandQueue(), CommandQueue())
  /// The sessions that admit pages.
  package nonisolated let sessions = PageSessions()
  /// The minimum time between two published changes that no command caused.
  static let spacing = Duration.milliseconds(33)

  package init(_ configuration: ViewfinderConfiguration) {
    self.configuration = configuration
    var behaviour = SessionConfiguration()
    behaviour.inactivityTimeout = configuration.pause
    behaviour.controls.initialExposureMode = "auto"
    session = CaptureSession(source: configuration.source, configuration: behaviour)
    output = PictureOutput(
      hub: pictures, pace: pace, quality: configuration.quality, longSide: configuration.longSide)
    settingsFile = configuration.settingsPath.map { SettingsFile(path: $0) } ?? SettingsFile()
    lenses = LensList([LensList.Lens(factor: 1, source: configuration.source)] + configuration.lenses)
    looks = configuration.looks.map { LookShelf(folder: $0) } ?? LookShelf()
    deletedPhotos = DeletedFiles(.photo, from: configuration.photos)
    deletedRecordings = DeletedFiles(.film, from: configuration.recordings)
    facts.source = configuration.source.specification
    facts.sourceReason = configuration.sourceReason
    facts.lenses = lenses.choices
    facts.lens = lenses.choices.firstIndex { $0.factor == 1 } ?? 0
  }

  /// Follows the camera and the settings, and performs commands, until `end` is called. The camera is opened when a viewer comes.
  package func begin() async {
    for output in [output, photoOutput, recorder] as [any FrameOutput] { await session.add(output) }
    adoptSettings()
    listeners = await listen()
    if let dock = configuration.dock {
      await dock.attach(to: session)
      await dock.observe { [weak self] in Task { await self?.changed() } }
      let buttons = await dock.buttons()
      listeners.append(Task { [weak self] in for await event in buttons { await self?.press(event) } })
    }
    if let spines = configuration.spines {
      await session.add(spines.output)
      await spines.observe { [weak self] in Task { await self?.changed() } }
    }
    await listRecordings()
    await removeDue()
    await refresh()
  }

  /// Ends a recording and releases the camera.
  package func end() async {
    for queue in [commands, dockCommands] { queue.finish() }
    for listener in listeners { listener.cancel() }
    if recorder.current != .idle { _ = try? await recorder.stop() }
    await releaseHold()
    pictures.end()
    for client in publisher.clients { client.close() }
    await configuration.dock?.detach()
    await configuration.spines?.end()
    await session.stop()
  }

  // MARK: - Clients

  /// Attaches a client: it gets the state from now on, and each of its commands is answered.
  package func connect(_ client: ControlClient) async {
    await refresh()
    publisher.attach(client)
    await noteViewers()
  }

  package func disconnect(_ client: ControlClient) async {
    client.close()
    publisher.detach(client)
    drop(dockCommands.withdraw(client), "its client is gone")
    await configuration.dock?.lost(client: client.number)
    await noteViewers()
  }

  /// Updates the camera after a viewer has come or gone: opens it for the first, and pauses it after the last.
  package func noteViewers() async {
    let viewers = publisher.clients.filter(\.isViewer)
    let visible = viewers.filter(\.isVisible).count
    // A hidden page still has its picture stream open.
    let isHidden = !viewers.isEmpty && visible == 0 && pictures.viewers <= viewers.count
    let areThere = !isHidden && (visible > 0 || pictures.viewers > 0)
    facts.isAppActive = areThere
    // Noted before the camera is awaited, since viewers may come and go meanwhile.
    let before = wereViewers
    wereViewers = areThere
    if isHidden, recorder.current == .idle {
      if !isBackground {
        isBackground = true
        await session.background()
      }
    } else if areThere, isBackground {
      isBackground = false
      pictures.forget()
      try? await session.foreground()
    } else if areThere, !before {
      await wake()
    } else if !areThere, before {
      // Restart the inactivity timeout.
      await session.noteActivity()
    }
    await refresh()
  }

  /// Opens the camera, or ends its pause. Errors appear in the state.
  package func wake() async {
    switch await session.state {
    case .idle, .warm, .failed, .ended: try? await session.start()
    case .paused(.inactivity):
      pictures.forget()
      await session.noteActivity()
    case .starting, .loading, .running, .interrupted, .paused: break
    }
  }

  // MARK: - Publishing

  /// Schedules publishing of a change, together with other changes until then.
  func changed() {
    guard !isTelling else { return }
    isTelling = true
    let wait = lastTold.map { Self.spacing - (MonotonicTime.now() - $0) } ?? .zero
    Task { [weak self] in
      if wait > .zero { try? await Task.sleep(for: wait) }
      await self?.refresh()
    }
  }

  /// Publishes the state now.
  @discardableResult func refresh() async -> Int {
    isTelling = false
    // Collect one state after another, so that an older state is never published after a newer state.
    let before = reading
    let mine = Task {
      await before?.value
      await gather()
    }
    reading = mine
    await mine.value
    lastTold = .now()
    return publisher.publish(facts.document)
  }

  private func gather() async {
    facts.session = await session.state
    facts.camera = await session.camera
    facts.format = await session.format
    facts.controls = await session.controls
    facts.angles = session.rotation.orientation(at: .distantFuture)
    facts.recording = recorder.current
    facts.progress = recorder.progress
    facts.overlay = DebugOverlay(
      format: facts.format, controls: facts.controls, pace: pace.reading(at: .now()), codec: facts.codec)
    if let dock = configuration.dock { facts.dock = await dock.state() }
    if let spines = configuration.spines {
      let before = facts.books["spines"]
      facts.books = await spines.state()
      facts.refusal = spines.refusal
      if facts.books["spines"] != before { await configuration.dock?.offer(await spines.outlines()) }
    }
  }

  // MARK: - Listening

  private func listen() async -> [Task<Void, Never>] {
    let (states, formats, controls) = (
      await session.states(), await session.formats(), await session.controlStates()
    )
    let (angles, recordings) = (session.angles(), recorder.states())
    var tasks = [
      Task { [weak self] in for await state in states { await self?.note(state) } },
      Task { [weak self] in for await _ in formats { await self?.changed() } },
      Task { [weak self] in for await _ in controls { await self?.changed() } },
      Task { [weak self] in for await _ in angles { await self?.changed() } },
      Task { [weak self] in for await state in recordings { await self?.note(state) } },
      work(through: commands), work(through: dockCommands),
      Task { [weak self] in
        while (try? await Task.sleep(for: .milliseconds(500))) != nil { await self?.lookAround() }
      },
    ]
    if let readings = try? SettingsWatch.readings(of: settingsFile) {
      tasks.append(
        Task { [weak self] in
          for await _ in readings { await self?.adoptSettings() }
        })
    }
    return tasks
  }

  private func note(_ state: SessionState) async {
    if state == .running, facts.startedAt == nil { facts.startedAt = TimeOfDay.now() }
    if state != .running, state.interruption == nil { facts.startedAt = nil }
    await refresh()
  }

  private func note(_ state: RecordingState) async {
    if state == .idle {
      // A recording ended by itself: the disk is full, or the camera is gone.
      if let ended = recorder.takeEnded() { await close(ended) }
      await listRecordings()
      await applyFormat()
    }
    // Pauses the camera if all pages were hidden during the recording.
    await noteViewers()
  }

  func listRecordings() async {
    let folder = configuration.recordings
    let box = Locked<[RecordingList.Entry]>([])
    await NamedThread.aside(name: "recordings") {
      let entries = (try? RecordingList(folder: folder, limit: 100))?.entries ?? []
      box.withLock { $0 = entries }
    }
    facts.recordings = box.withLock { $0 }
  }

  /// Reads the settings, which another program may have changed. The reading of the watch is not used, because a command may have changed the
  /// settings after it.
  private func adoptSettings() {
    guard let reading = try? settingsFile.read() else { return }
    adopt(reading)
    Task { await applyFormat() }
    changed()
  }

  func adopt(_ reading: SettingsFile.Reading) {
    facts.settings = reading.settings
    adoptLook()
  }

  /// The reason why the look for photos and recordings cannot be used. Nil if it can, or if there is none.
  package var lookTrouble: String? { facts.settings.isLookBakedIn ? facts.look.trouble : nil }

  /// Updates the look; its file may have been replaced since it was read.
  func adoptLook() {
    facts.look = looks.facts(facts.settings, isActive: facts.look.isActive)
    output.look = facts.look.isActive ? try? looks.look(facts.settings.look).get() : nil
  }

  /// Polls, twice a second, for changes that cause no notification.
  private func lookAround() {
    adoptLook()
    if deletedPhotos.isDue || deletedRecordings.isDue { Task { await removeDue() } }
    changed()
  }
}

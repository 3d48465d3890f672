import Capture
import Glibc
import Imagery
import JSON
package import Recording
package import Settings
import System

/// Photos and recordings.
extension ViewfinderHub {
  func takePhoto() async -> CommandOutcome {
    await openForRemote()
    guard await session.state.acceptsPhotos else {
      return .refused("the shutter is disabled: \(await session.state.whyNoPhotos)")
    }
    if let refusal = configuration.spines?.refusal { return .refused("the shutter is disabled: \(refusal)") }
    let forLibrary = configuration.spines?.photoSettings
    var settings = forLibrary ?? PhotoSettings()
    // Library photos have no look, because text is read more reliably without one.
    if forLibrary == nil, facts.settings.isLookBakedIn {
      adoptLook()
      if let reason = facts.lookRefusal { return .refused("the photo was not taken: \(reason)") }
      settings.look = try? looks.look(facts.settings.look).get()
    }
    publisher.tell(event: "flash")
    let photo: CapturedPhoto
    do { photo = try await session.capturePhoto(settings, from: photoOutput) } catch {
      return .refused("\(error)")
    }
    let (name, bytes) = (freeName("photo-\(TimeOfDay.stamp())"), photo.photo.bytes)
    let path = "\(configuration.photos)/\(name)"
    do throws(SystemError) { try DurableFile.replace(path, with: bytes, mode: 0o644) } catch {
      return .refused("the photo was not kept: \(path) cannot be written: \(error.reason); check its folder")
    }
    let size = photo.photo.size
    facts.photos.count += 1
    facts.photos.last = PhotoFacts.Last(
      name: name, time: TimeOfDay.now(), size: size, bytes: bytes.count,
      tokens: TokenProfile.named("seed")?.tokens(for: size))
    publisher.tell(event: "shutter", ["name": .string(name)])
    return await hand(bytes, name)
  }

  /// A name that no photo of the folder has: two photos can be taken in the same millisecond, and the clock can be set back.
  func freeName(_ stem: String) -> String {
    var (name, number) = ("\(stem).jpg", 1)
    while access("\(configuration.photos)/\(name)", F_OK) == 0 {
      number += 1
      name = "\(stem)-\(number).jpg"
    }
    return name
  }

  /// Passes the photo to the library. The file in its folder is kept in any case.
  private func hand(_ photo: [UInt8], _ name: String) async -> CommandOutcome {
    switch await configuration.spines?.accept(photo) {
    case nil: .accepted(["name": .string(name)])
    case .queued: .accepted(["name": .string(name), "library": .string("queued")])
    case .knownAlready: .accepted(["name": .string(name), "library": .string("known")])
    case .refused(let reason): .refused("the photo is kept as \(name), but was not queued: \(reason)")
    }
  }

  /// Opens the camera for a remote that presses a button while there is no viewer. A hidden page and an interruption are left as they are.
  private func openForRemote() async {
    let before = await session.state
    guard [.idle, .warm, .ended, .paused(.inactivity)].contains(before) else { return }
    let states = await session.states()
    await wake()
    for await state in states where ![before, .starting, .loading].contains(state) { return }
  }

  /// - Parameter name: the name of a codec. Nil for the codec of the settings; if that is the default, the codec that suits the camera.
  func startRecording(_ name: String?) async -> CommandOutcome {
    let codec =
      name.map { name in RecordingCodec.all.first { $0.rawValue == name } }
      ?? RecordingCodec(facts.settings.codec)
    guard name == nil || codec != nil else {
      return .refused(
        "there is no codec \(name?.prefix(60) ?? ""); there are "
          + RecordingCodec.all.map(\.rawValue).joined(separator: ", "))
    }
    await openForRemote()
    let state = await session.state
    guard state == .running else { return .refused("nothing is recorded: \(state.whyNoPhotos)") }
    adoptLook()
    if let reason = facts.lookRefusal { return .refused("nothing is recorded: \(reason)") }
    let (wishes, interval) = (
      recordingWishes(codec), facts.format?.frameInterval ?? FrameInterval(framesPerSecond: 30)
    )
    let ending = codec == .prores || codec == .ffv1 ? "mov" : "mp4"
    let path = "\(configuration.recordings)/film-\(TimeOfDay.stamp()).\(ending)"
    do throws(RecordingError) {
      let hold = try await recorder.start(
        wishes, to: path, interval: interval, holding: RecordingConditions(facts.settings), of: session)
      self.hold = hold
      facts.ended = nil
      facts.codec = codec?.rawValue
      return .accepted(["notes": .array(hold.results.compactMap(\.refusal).map { .text($0) })])
    } catch { return .refused("\(error)") }
  }

  /// The recording settings that follow from the user's settings.
  private func recordingWishes(_ codec: RecordingCodec?) -> RecordingSettings {
    var wishes = RecordingSettings(codec: codec)
    if facts.settings.isLookBakedIn { wishes.look = try? looks.look(facts.settings.look).get() }
    wishes.mount = facts.camera?.mount.orientation
    return wishes
  }

  func stopRecording() async -> CommandOutcome {
    let recording: Recording
    do throws(RecordingError) { recording = try await recorder.stop() } catch { return .refused("\(error)") }
    await close(recording)
    await listRecordings()
    if let failure = recording.failure { return .refused("\(failure)") }
    guard recording.progress.written > 0 else {
      return .refused(
        "nothing was recorded: no picture came before the recording was stopped; record for longer")
    }
    return .accepted([
      "name": .text(recording.path.lastName),
      "written": .whole(recording.progress.written), "dropped": .whole(recording.progress.dropped),
    ])
  }

  /// Reports how the recording ended, and restores the camera's state before it.
  func close(_ recording: Recording) async {
    facts.codec = nil
    facts.ended = RecordingEnd(recording)
    await refresh()
    await releaseHold()
  }

  /// Waits until the camera is in its state before the recording.
  func releaseHold() async {
    await hold?.isReleased()
    hold = nil
  }
}

extension RecordingConditions {
  /// The locks and the torch that the settings request.
  package init(_ settings: CameraSettings) {
    self.init(
      locksExposure: settings.isExposureLockedWhileRecording,
      locksWhiteBalance: settings.isWhiteBalanceLockedWhileRecording,
      torch: settings.isTorchEnabled ? settings.torchLevel : nil)
  }
}

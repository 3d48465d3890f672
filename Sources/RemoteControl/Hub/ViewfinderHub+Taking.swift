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
    guard await session.state.acceptsPhotos else {
      return .refused("the shutter is disabled: the session is \(await session.state)")
    }
    publisher.tell(event: "flash")
    var settings = PhotoSettings()
    if facts.settings.isLookBakedIn { settings.look = output.look }
    let photo: CapturedPhoto
    do { photo = try await session.capturePhoto(settings, from: photoOutput) } catch {
      return .refused("\(error)")
    }
    let (name, bytes) = ("photo-\(WallClock.stamp()).jpg", photo.photo.bytes)
    let path = "\(configuration.photos)/\(name)"
    do throws(SystemError) { try DurableFile.replace(path, with: bytes, mode: 0o644) } catch {
      return .refused("the photo was not kept: \(path) cannot be written: \(error.reason); check its folder")
    }
    let size = photo.photo.size
    facts.photos.count += 1
    facts.photos.last = PhotoFacts.Last(
      name: name, time: WallClock.now(), size: size, bytes: bytes.count,
      tokens: TokenProfile.named("seed")?.tokens(for: size))
    publisher.tell(event: "shutter", ["name": .string(name)])
    return .accepted(["name": .string(name)])
  }

  func startRecording() async -> CommandOutcome {
    let state = await session.state
    guard state == .running else { return .refused("nothing is recorded: the session is \(state)") }
    let (path, settings) = ("\(configuration.recordings)/film-\(WallClock.stamp()).mp4", facts.settings)
    var wishes = RecordingSettings()
    if settings.isLookBakedIn { wishes.look = looks.look(settings.look) }
    wishes.mount = facts.camera?.mount.orientation
    let interval = facts.format?.frameInterval ?? FrameInterval(framesPerSecond: 30)
    do throws(RecordingError) {
      hold = try await recorder.start(
        wishes, to: path, interval: interval, holding: RecordingConditions(settings), of: session)
    } catch { return .refused("\(error)") }
    let notes = hold?.results.compactMap(\.refusal) ?? []
    return .accepted(["notes": .array(notes.map { .text($0) })])
  }

  func stopRecording() async -> CommandOutcome {
    let recording: Recording
    do throws(RecordingError) { recording = try await recorder.stop() } catch { return .refused("\(error)") }
    await hold?.isReleased()
    hold = nil
    await listRecordings()
    if let failure = recording.failure { return .refused("\(failure)") }
    guard recording.progress.written > 0 else {
      return .refused("nothing was recorded: no picture came before the recording was stopped")
    }
    return .accepted([
      "name": .text(recording.path.split(separator: "/").last.map(String.init)),
      "written": .whole(recording.progress.written), "dropped": .whole(recording.progress.dropped),
    ])
  }

  /// Only a file of the list is removed, with its thumbnail.
  func deleteRecording(_ name: String) async -> CommandOutcome {
    guard let entry = facts.recordings.first(where: { $0.path == "\(configuration.recordings)/\(name)" })
    else {
      return .refused("there is no recording of this name; recordings lists them")
    }
    if case .recording(let path, _) = recorder.current, path == entry.path {
      return .refused("this file is being recorded; stop the recording first")
    }
    guard unlink(entry.path) == 0 else {
      return .refused("\(name) was not deleted: \(String(cString: strerror(errno)))")
    }
    if let thumbnail = entry.thumbnailPath { unlink(thumbnail) }
    await listRecordings()
    return .accepted()
  }
}

extension RecordingConditions {
  /// What the settings ask for.
  package init(_ settings: CameraSettings) {
    self.init(
      locksExposure: settings.isExposureLockedWhileRecording,
      locksWhiteBalance: settings.isWhiteBalanceLockedWhileRecording,
      torch: settings.isTorchEnabled ? settings.torchLevel : nil)
  }
}

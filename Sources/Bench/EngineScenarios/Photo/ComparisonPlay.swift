import Capture
import Corpora
import Imagery
import Probes
import Replay
import System

/// A play that takes photos at even intervals, one of each kind, and compares them with their originals.
struct ComparisonPlay {
  let rig: Rig
  let bundled: String
  /// Number of frames that are photographed: one for a device, which takes real time.
  let moments: Int

  struct Outcome {
    var comparisons: [PhotoComparison]
    /// A description of the originals.
    var reference: String
  }

  func outcome() async throws -> Outcome {
    let sound = try rig.soundSource(orBundled: bundled)
    var source = try rig.source(orBundled: bundled)
    let originals: Originals
    if let replay = sound as? ReplaySource {
      originals = .recorded(try RecordedFrames(replay))
    } else {
      let delivered = DeliveredFrames(limit: 8)
      source = delivered.watching(source)
      originals = .delivered(delivered)
    }
    // A recording and a simulation are played in virtual time, so that every run compares the same frames.
    let session = ComparedSession(
      source: source, rig: rig, virtual: sound.isPlayed ? VirtualClock() : nil, originals: originals)
    return Outcome(
      comparisons: try await session.comparisons(
        moments: sound.isPlayed ? moments : 1, apart: distance(sound)),
      reference: originals.summary)
  }

  private func distance(_ source: any CameraSource) -> Duration {
    guard let replay = source as? ReplaySource else { return .milliseconds(100) }
    let whole = Duration.nanoseconds(replay.corpus.manifest.durationNanoseconds)
    return min(whole, replay.options.seconds.map { .seconds($0) } ?? whole) / replay.options.speed / moments
  }
}

/// A session whose photos are compared.
private struct ComparedSession {
  let source: any CameraSource
  let rig: Rig
  /// The virtual clock. Nil to use the system's.
  let virtual: VirtualClock?
  let originals: Originals

  func comparisons(moments: Int, apart distance: Duration) async throws -> [PhotoComparison] {
    let clock: any CaptureClock = virtual ?? SystemClock()
    let output = rig.makePhotoOutput(clock: clock)
    let session = CaptureSession(source: source, configuration: .unattended, clock: clock)
    await session.add(output)
    return try await session.ending {
      let began = clock.now()
      try await session.start()
      let interval = await session.format?.frameInterval.duration ?? .zero
      var comparisons: [PhotoComparison] = []
      for moment in 0..<moments {
        // Takes the photos a quarter of an interval after a frame, so that the nearest frame is unambiguous; and late enough for the first frame.
        try await pass(until: began + distance * moment + interval * 9 / 4, clock)
        comparisons += try compare(try await photos(from: output, session, interval))
      }
      return comparisons
    }
  }

  private func pass(until time: MonotonicTime, _ clock: any CaptureClock) async throws {
    let duration = max(.zero, time - clock.now())
    if let virtual { await virtual.run(for: duration) } else { try await Task.sleep(for: duration) }
    try Task.checkCancellation()
  }

  /// Returns one photo of each kind, all requested at the same time and so of the same frame. Empty while the source is interrupted, as
  /// some recordings are.
  private func photos(
    from output: PhotoOutput, _ session: CaptureSession, _ interval: Duration
  ) async throws -> [Shot] {
    do { return try await pressed(output, session, interval: interval) } catch let error as SessionError {
      switch error.code {
      case .captureRefused, .captureInterrupted: return []
      default: throw error
      }
    }
  }

  private func pressed(
    _ output: PhotoOutput, _ session: CaptureSession, interval: Duration
  ) async throws -> [Shot] {
    let kinds = PhotoComparison.Kind.allCases
    let photos: [CapturedPhoto]
    if let virtual {
      guard await session.state == .running else { return [] }
      let shutter = VirtualShutter(session: session, output: output, clock: virtual, interval: interval)
      photos = try await shutter.photos(kinds.map(\.settings))
    } else {
      guard await session.comesToRun() else { return [] }
      originals.hold()
      photos = try await atOnce(kinds.map(\.settings), output, session: session)
    }
    return zip(kinds, photos).map { Shot(kind: $0, photo: $1) }
  }

  private func atOnce(
    _ settings: [PhotoSettings], _ output: PhotoOutput, session: CaptureSession
  ) async throws -> [CapturedPhoto] {
    let presses = settings.map { settings in
      Task { try await session.capturePhoto(settings, from: output) }
    }
    var photos: [CapturedPhoto] = []
    for press in presses { photos.append(try await press.value) }
    return photos
  }

  private struct Shot: Sendable {
    let kind: PhotoComparison.Kind
    let photo: CapturedPhoto
  }

  private func compare(_ shots: [Shot]) throws -> [PhotoComparison] {
    var originals: [UInt32: Original] = [:]
    return try shots.map { shot in
      let sequence = shot.photo.frame.sequence
      let original = try originals[sequence] ?? Original(self.originals.picture(sequence))
      originals[sequence] = original
      return try PhotoComparison(
        shot.photo.photo, shot.kind, turned: shot.photo.frame.orientation.capture, original: original)
    }
  }
}

/// The original of a frame. Keeps its latest averaged version, because the photos of a frame share it.
final class Original {
  let picture: ReferencePicture
  private var averaged: RGBSamples?

  init(_ picture: ReferencePicture) { self.picture = picture }

  func averaged(to size: PixelSize) -> RGBSamples {
    if let averaged, averaged.size == size { return averaged }
    let result = picture.averaged(to: size)
    averaged = result
    return result
  }
}

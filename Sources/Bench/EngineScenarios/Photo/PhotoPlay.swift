import Capture
import Corpora
import Imagery
import Probes
import Replay
import System

/// A play that takes photos of a source. Recordings and drawn scenes are played in virtual time, so that always the same frames are photographed.
struct PhotoPlay {
  let rig: Rig
  let bundled: String
  /// Minimum number of frames between two photos: with fewer, a photo would be requested before the last one is finished.
  private static let leastStride = 3

  func shots(count: Int) async throws -> [PhotoShot] {
    let references = References()
    let sound = try rig.soundSource(orBundled: bundled)
    let virtual = sound.isPlayed ? VirtualClock() : nil
    let clock: any CaptureClock = virtual ?? SystemClock()
    let output = rig.makePhotoOutput(clock: clock, references: references)
    let session = CaptureSession(
      source: try rig.source(orBundled: bundled), configuration: .unattended, clock: clock)
    await session.add(output)
    let photos = try await session.ending {
      try await session.start()
      guard let virtual else { return try await take(count, from: output, session) }
      let interval = await session.format?.frameInterval.duration ?? .milliseconds(33)
      let shutter = VirtualShutter(session: session, output: output, clock: virtual, interval: interval)
      return try await take(count, every: stride(of: sound, interval, count), shutter)
    }
    return try photos.enumerated().map { index, photo in
      let reference = references.png(index)
      return PhotoShot(
        photo: photo, source: photo.frame.format,
        similarity: try reference.map { try similarity(photo.photo.bytes, $0) })
    }
  }

  /// Returns the number of frames between two photos. Photos of a long recording are spread over the whole recording.
  private func stride(of source: any CameraSource, _ interval: Duration, _ count: Int) -> Int {
    guard let replay = source as? ReplaySource else { return Self.leastStride }
    let whole = Duration.nanoseconds(replay.corpus.manifest.durationNanoseconds)
    let played = min(whole, replay.options.seconds.map { .seconds($0) } ?? whole) / replay.options.speed
    return max(Self.leastStride, Int(played / interval) / max(1, count))
  }

  /// Photographs every `stride`-th frame from the third on. The photo is requested a quarter of an interval before the exposure. No photo is taken
  /// while the source is interrupted. If the source ends early, there are fewer photos.
  private func take(_ count: Int, every stride: Int, _ shutter: VirtualShutter) async throws
    -> [CapturedPhoto]
  {
    let (clock, interval) = (shutter.clock, shutter.interval)
    let began = clock.now()
    var photos: [CapturedPhoto] = []
    // Moments during an interruption are lost. A source that stays interrupted ends the play.
    for moment in 0..<count * 4 where photos.count < count {
      let press = began + interval * (11 + 4 * stride * moment) / 4
      await clock.run(for: max(.zero, press - clock.now()))
      try Task.checkCancellation()
      let state = await shutter.session.state
      if state == .ended { break }
      if state == .running { photos += try await pressed(shutter) }
    }
    return photos
  }

  private func pressed(_ shutter: VirtualShutter) async throws -> [CapturedPhoto] {
    do { return try await shutter.photos([PhotoSettings()]) } catch let error as SessionError {
      switch error.code {
      case .captureRefused, .captureInterrupted, .captureCancelled: return []
      default: throw error
      }
    }
  }

  /// Takes photos of a device as fast as possible.
  private func take(
    _ count: Int, from output: PhotoOutput, _ session: CaptureSession
  ) async throws -> [CapturedPhoto] {
    var photos: [CapturedPhoto] = []
    for await state in await session.states() where state != .starting && state != .loading {
      guard state == .running else { break }
      while photos.count < count {
        try Task.checkCancellation()
        photos.append(try await session.capturePhoto(from: output))
      }
      break
    }
    return photos
  }

  private func similarity(_ photo: [UInt8], _ reference: [UInt8]) throws -> Double {
    let (seen, fine) = (try luma(of: photo), try luma(of: reference))
    return ImageQuality.ssim(seen, fine) ?? 0
  }

  private func luma(of bytes: [UInt8]) throws -> LumaImage {
    let grey = try ImageConverter(pool: PixelBufferPool())
      .convert(ImageFile.read(bytes).image, to: .grey, color: .jpeg)
    let (plane, size) = (grey.planes[0], grey.format.size)
    return withExtendedLifetime(grey) {
      let rows = (0..<size.height).flatMap { row in
        UnsafeRawBufferPointer(start: plane.base + row * plane.bytesPerRow, count: size.width)
      }
      return LumaImage(size: size, bytes: rows)
    }
  }
}

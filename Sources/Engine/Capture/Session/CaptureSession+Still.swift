public import Imagery
import System

/// A photo at another resolution than that of the stream.
public struct StillPhoto: Sendable {
  /// The photo, of a frame in `format`.
  public let photo: CapturedPhoto
  /// What was chosen for it among the camera's formats.
  public let format: CameraFormat
  /// How long every other output was without a frame: from the arrival of the last one before the change to that of the first one after it. Zero where the
  /// stream had that size already; nil where the stream has not come back.
  public let interruption: Duration?
}

extension CaptureSession {
  /// Takes a photo at the camera's format that is nearest to a size, which may be larger than that of the stream. The counterpart of
  /// `AVCapturePhotoSettings.maxPhotoDimensions`.
  ///
  /// A V4L2 camera has one format at a time: the stream is stopped, started in the other one for a few frames, and brought back. That is
  /// hidden: the state stays `running`, previews keep their last picture, no output but this one sees a frame of the other size, and other
  /// photos, brackets and changes of the setup wait; a press or a burst that had no frame yet when it began ends with `captureRefused`. How long it
  /// lasted is told to the caller, and to every other output before its next frame (``FrameOutput/note(_:)``): a recording counts what it
  /// lacks. ``format`` and ``formats()`` tell the change and its end.
  ///
  /// Nothing is enlarged: where the camera has nothing as large, the photo is of its largest format.
  /// - Parameters:
  ///   - size: what is wanted, in stored pixels.
  ///   - settings: of the photo; `longSide` and `maximumLongSide` bound it as ever.
  ///   - settling: frames that are left out first, 0...60, because cameras begin their exposure anew with a stream. After them the first
  ///     frame is taken that has settled (`FrameSettings.isSettled`), or any after a second.
  /// - Throws: as ``capturePhoto(_:from:)``, and as `configure(_:)` when the camera does not take the format. The stream is brought back
  ///   in any case; `CancellationError` comes after that.
  public func captureStill(
    size: PixelSize, _ settings: PhotoSettings = PhotoSettings(longSide: nil, maximumBytes: nil),
    settling: Int = 3, from output: PhotoOutput
  ) async throws -> StillPhoto {
    try await waitForTurn(afterBracket: true)
    let task = Task {
      try await takeStill(size, settings, settling: min(max(settling, 0), 60), output: output)
    }
    still = task
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// A still is under way.
  var isTakingStill: Bool { still != nil }

  /// What a user is told of a state: of the restarts of a still, nothing.
  func shown(_ state: SessionState) -> SessionState {
    isTakingStill && hidesRestarts && (state == .starting || state == .loading) ? .running : state
  }

  /// A restart that is not over is seen from now on.
  private func showRestarts() {
    guard hidesRestarts else { return }
    hidesRestarts = false
    if machine.state == .starting || machine.state == .loading { tell(machine.state, after: .running) }
  }

  /// Only the restarts of the still itself are hidden: whatever else ends the stream is seen, and so is the start after it.
  func stopHidingRestarts() {
    switch machine.state {
    case .running, .starting, .loading: break
    case .idle, .warm, .interrupted, .paused, .failed, .ended: hidesRestarts = false
    }
  }

  private func takeStill(
    _ size: PixelSize, _ settings: PhotoSettings, settling: Int, output: PhotoOutput
  ) async throws -> StillPhoto {
    defer {
      still = nil
      turns.tell(())
    }
    // Wait for the last change of the configuration, which is restored after the photo.
    while let changing { _ = await changing.value }
    let pressed = try await press(output, waitsForStill: false)
    guard let camera, let preview = format, let chosen = Self.still(near: size, of: camera.formats),
      chosen.image.size != preview.image.size
    else {
      let photo = try await take(
        PhotoRequest(pressed: pressed, settings: settings, camera: camera, answer: PhotoAnswer()),
        from: output)
      return StillPhoto(photo: photo, format: format ?? photo.cameraFormat, interruption: .zero)
    }
    let former = plan.configuration.chooseFormat
    let last = output.state.withLock { $0.gaps.latest }
    router.hold(allBut: preview.image.size, every: preview.frameInterval.duration, for: output)
    hidesRestarts = true
    let outcome = await attempt(
      chosen, former, settings: settings, settling: settling, pressed: pressed, output: output)
    let isBack = await comeBack(to: former, preview.image.size, output)
    showRestarts()
    router.release()
    let first = output.state.withLock { $0.gaps.first }
    let (photo, format) = try outcome.get()
    let interruption = isBack ? first.flatMap { first in last.map { first - $0 } } : nil
    return StillPhoto(photo: photo, format: format, interruption: interruption)
  }

  /// Of the formats that are nearest in size the fastest, since the stream waits; then the one that is cheapest to read.
  static func still(near size: PixelSize, of formats: [CameraFormat]) -> CameraFormat? {
    let nearest = FormatFinder(size: size, framesPerSecond: 0).best(of: formats)?.image.size
    let rank = { (format: CameraFormat) in
      [-format.frameInterval.framesPerSecond, Double(format.image.pixelFormat.conversionCost)]
    }
    return formats.filter { $0.image.size == nearest }.min { rank($0).lexicographicallyPrecedes(rank($1)) }
  }

  /// The stream in the other format, and the photo.
  private func attempt(
    _ chosen: CameraFormat, _ former: @escaping @Sendable ([CameraFormat]) -> CameraFormat?,
    settings: PhotoSettings, settling: Int, pressed: MonotonicTime, output: PhotoOutput
  ) async -> Result<(CapturedPhoto, CameraFormat), any Error> {
    do {
      try await reconfigure { setup in
        setup.configuration.chooseFormat = { $0.contains(chosen) ? chosen : former($0) }
      }
      try await waitForStream()
      let given = format ?? chosen
      let earliest = clock.now() + given.frameInterval.duration * settling
      let request = PhotoRequest(
        pressed: pressed, settings: settings, camera: camera, answer: PhotoAnswer(),
        accepts: { frame in
          frame.image.format.size == given.image.size && frame.exposureTime >= earliest
            && (frame.settings.isSettled || frame.exposureTime >= earliest + .seconds(1))
        })
      return .success((try await take(request, from: output), given))
    } catch {
      return .failure(error)
    }
  }

  /// The stream in the preview's format again. What cannot be done now is done with the next start.
  /// - Returns: whether pictures come.
  private func comeBack(
    to former: @escaping @Sendable ([CameraFormat]) -> CameraFormat?, _ size: PixelSize,
    _ output: PhotoOutput
  ) async -> Bool {
    output.state.withLock { $0.gaps.startOver(awaiting: size) }
    router.expectReturn()
    // Not cancelled with the photo.
    let back = Task { () -> Bool in
      do {
        try await reconfigure { $0.configuration.chooseFormat = former }
        try await waitForStream()
        return true
      } catch {
        plan.configuration.chooseFormat = former
        return false
      }
    }
    return await back.value
  }

  /// Waits for the first picture of a stream that starts.
  private func waitForStream() async throws {
    while machine.state == .starting || machine.state == .loading {
      let id = streams.newID()
      _ = await withCheckedContinuation { streams.add($0, as: id) }
    }
    guard machine.state == .running else { throw SessionError.noPicture(machine.state) }
  }
}

extension CapturedPhoto {
  /// Of a camera that told no format.
  fileprivate var cameraFormat: CameraFormat {
    CameraFormat(image: frame.format, frameInterval: FrameInterval(framesPerSecond: 1))
  }
}

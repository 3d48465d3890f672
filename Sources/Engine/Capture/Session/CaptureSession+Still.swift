public import Imagery
import System

/// A photo in another resolution than the stream's.
public struct StillPhoto: Sendable {
  /// The photo, made of a frame in `format`.
  public let photo: CapturedPhoto
  /// The camera's format that was chosen for the photo.
  public let format: CameraFormat
  /// The time that every other output was without a frame: from the arrival of the last frame before the change to that of the first one after
  /// it. Zero if the stream already had that size; nil if the stream has not come back.
  public let interruption: Duration?
}

extension CaptureSession {
  /// Takes a photo in the camera's format nearest to a size, which may be larger than the stream's. The counterpart of
  /// `AVCapturePhotoSettings.maxPhotoDimensions`.
  ///
  /// A V4L2 camera has one format at a time: the stream is stopped, started in the other format for a few frames, and brought back. That is
  /// hidden: the state stays `running`, previews keep their last picture, only `output` gets frames of the other size, and other
  /// photos, brackets and changes of the setup wait. A press or a burst that has no frame yet when the still begins fails with `captureRefused`.
  /// The length of the gap is returned to the caller, and reported to every other output before its next frame (``FrameOutput/note(_:)``), so that
  /// a recording counts its missing frames. ``format`` and ``formats()`` show the change and its end.
  ///
  /// Nothing is enlarged: if the camera has no format as large, the photo has its largest format.
  /// - Parameters:
  ///   - size: the wanted size, in stored pixels.
  ///   - settings: for the photo; `longSide` and `maximumLongSide` limit it as usual.
  ///   - settling: the number of frames to skip first, 0...60, because cameras restart their automatic exposure with each stream. Then the first
  ///     settled frame is taken (`FrameSettings.isSettled`), or any frame after a second.
  /// - Throws: the errors of ``capturePhoto(_:from:)``, and those of `configure(_:)` if the camera does not accept the format. The stream is brought
  ///   back in any case, before `CancellationError` is thrown.
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

  /// Whether a still is under way.
  var isTakingStill: Bool { still != nil }

  /// The state to show to a user: `running` instead of the restarts of a still.
  func shown(_ state: SessionState) -> SessionState {
    isTakingStill && hidesRestarts && (state == .starting || state == .loading) ? .running : state
  }

  /// Shows a restart that is still under way from now on.
  private func showRestarts() {
    guard hidesRestarts else { return }
    hidesRestarts = false
    if machine.state == .starting || machine.state == .loading { tell(machine.state, after: .running) }
  }

  /// Only the restarts of the still itself are hidden: any other end of the stream is shown, and so is the start after it.
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

  /// The fastest of the formats nearest in size, because the stream waits; among equally fast formats, the one that is
  /// cheapest to convert.
  static func still(near size: PixelSize, of formats: [CameraFormat]) -> CameraFormat? {
    let nearest = FormatFinder(size: size, framesPerSecond: 0).best(of: formats)?.image.size
    let rank = { (format: CameraFormat) in
      [-format.frameInterval.framesPerSecond, Double(format.image.pixelFormat.conversionCost)]
    }
    return formats.filter { $0.image.size == nearest }.min { rank($0).lexicographicallyPrecedes(rank($1)) }
  }

  /// Restarts the stream in the other format and takes the photo.
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

  /// Restarts the stream in the preview's format. If that fails now, the next start does it.
  /// - Returns: whether the stream delivers pictures again.
  private func comeBack(
    to former: @escaping @Sendable ([CameraFormat]) -> CameraFormat?, _ size: PixelSize,
    _ output: PhotoOutput
  ) async -> Bool {
    output.state.withLock { $0.gaps.startOver(awaiting: size) }
    router.expectReturn()
    // Cancelling the photo must not cancel the return.
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
  /// The format of a photo from a camera that reported none.
  fileprivate var cameraFormat: CameraFormat {
    CameraFormat(image: frame.format, frameInterval: FrameInterval(framesPerSecond: 1))
  }
}

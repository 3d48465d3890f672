public import Imagery
import System

extension CaptureSession {
  /// Takes a photo of the frame nearest to now. A session that is paused for inactivity resumes, and the photo is of its first
  /// frame.
  /// - Throws: `SessionError` if the session has no picture or loses it, or does not have this output;
  ///   `ImageError` if the picture is bad; `CancellationError` at once if the task is cancelled.
  public func capturePhoto(
    _ settings: PhotoSettings = PhotoSettings(), from output: PhotoOutput
  ) async throws -> CapturedPhoto {
    let pressed = try await press(output)
    return try await take(
      PhotoRequest(pressed: pressed, settings: settings, camera: camera, answer: PhotoAnswer()), from: output)
  }

  /// Takes a photo of the frame nearest to now. A small picture is available at once, and the full photo follows. The full photo
  /// delays neither the camera, since the frame is copied, nor the next photo, since a thread of its own makes it.
  ///
  /// At most ``PhotoOutput/pendingLimit`` such photos are under way. When the session stops, they are finished first.
  /// - Parameters:
  ///   - settings: for the full photo.
  ///   - proxy: for the small picture. By default it is 320 pixels long and made for speed.
  /// - Throws: the errors of ``capturePhoto(_:from:)`` if even the small picture fails; then there is no photo either.
  public func captureDeferredPhoto(
    _ settings: PhotoSettings = PhotoSettings(), proxy: PhotoSettings = .proxy, from output: PhotoOutput
  ) async throws -> DeferredPhoto {
    let pressed = try await press(output)
    let later = LaterPhoto(settings: settings, answer: PhotoAnswer())
    let request = PhotoRequest(
      pressed: pressed, settings: proxy, camera: camera, answer: PhotoAnswer(), later: later)
    do {
      return DeferredPhoto(proxy: try await take(request, from: output), answer: later.answer)
    } catch {
      later.answer.give(.failure(error))
      throw error
    }
  }

  /// Takes photos of consecutive frames, beginning with the frame nearest to now.
  ///
  /// ```swift
  /// for await shot in try await session.captureBurst(of: 10, from: photos) {
  ///   if case .success(let photo) = shot { keep(photo) }
  /// }
  /// ```
  ///
  /// A burst is as fast as photos can be made and read. If that is slower than the camera, frames are skipped, which
  /// `CapturedPhoto.frame` shows. At most ``PhotoOutput/unreadLimit`` photos wait to be read, so that memory stays bounded. Leaving the
  /// stream ends the burst.
  /// - Parameter count: the number of photos, 1...1000; clamped.
  /// - Returns: a stream of `count` shots for one reader, each a photo or an error, in the order of their frames. When the session is interrupted or ends, shots
  ///   without a frame fail at once, before photos that are still being made.
  /// - Throws: the errors of ``capturePhoto(_:from:)`` if the burst cannot begin.
  public func captureBurst(
    of count: Int, _ settings: PhotoSettings = PhotoSettings(), from output: PhotoOutput
  ) async throws -> AsyncStream<Result<CapturedPhoto, any Error>> {
    let pressed = try await press(output)
    let burst = PhotoBurst(min(max(count, 1), 1000), settings, pressed: pressed, camera: camera)
    output.begin(burst)
    return burst.shots()
  }

  // MARK: - The press

  /// Handles a press of the shutter: counts as activity, and makes sure that there is a picture.
  /// - Returns: the time of the press.
  func press(_ output: PhotoOutput, waitsForStill: Bool = true) async throws -> MonotonicTime {
    guard photoOutputs.contains(where: { $0 === output }) else { throw SessionError.outputNotAdded }
    let pressed = clock.now()
    if waitsForStill { try await waitForTurn(afterBracket: false) }
    if isWaking || machine.state == .paused(.inactivity) { try await waitForPicture() }
    guard machine.state == .running else { throw SessionError.captureRefused(machine.state) }
    guard photoOutputs.contains(where: { $0 === output }) else { throw SessionError.outputRemoved }
    apply(.activity)
    return pressed
  }

  /// Enters the request and waits for its answer. The session does nothing else between the press
  /// and this call, so a later event that ends the picture also answers the request.
  func take(_ request: PhotoRequest, from output: PhotoOutput) async throws -> CapturedPhoto {
    output.begin(request)
    return try await output.answer(to: request)
  }

  /// Waits until no still is under way.
  /// - Parameter afterBracket: whether to wait for a bracket too.
  /// - Throws: `CancellationError`, as soon as the task is cancelled.
  func waitForTurn(afterBracket: Bool) async throws {
    while still != nil || (afterBracket && bracket != nil) {
      let id = turns.newID()
      let isOver: Void? = await withTaskCancellationHandler {
        await withCheckedContinuation { turns.add($0, as: id) }
      } onCancel: {
        Task { await self.cancelTurn(id) }
      }
      if isOver == nil { throw CancellationError() }
    }
  }

  private func cancelTurn(_ id: Int) { turns.cancel(id) }

  private func waitForPicture() async throws {
    guard presses.count < PhotoOutput.pendingLimit else {
      throw SessionError.tooManyPhotos(limit: PhotoOutput.pendingLimit)
    }
    try Task.checkCancellation()
    apply(.activity)
    let id = presses.newID()
    let state = await withTaskCancellationHandler {
      await withCheckedContinuation { presses.add($0, as: id) }
    } onCancel: {
      Task { await self.cancelPress(id) }
    }
    switch state {
    case nil: throw CancellationError()
    case .interrupted(let reason): throw SessionError.captureInterrupted(reason)
    case .failed(let error): throw SessionError.camera(error)
    case .idle: throw SessionError.captureCancelled
    default: break
    }
  }

  private func cancelPress(_ id: Int) { presses.cancel(id) }

  /// The number of presses that wait for the picture of a resuming session.
  var waitingPresses: Int { presses.count }
}

extension PhotoSettings {
  /// Settings for the small picture of a deferred photo: 320 pixels long, made for speed, without metadata.
  public static let proxy = PhotoSettings(
    longSide: 320, quality: 75, priority: .speed, writesMetadata: false)
}

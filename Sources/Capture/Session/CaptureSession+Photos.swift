public import Imagery

extension CaptureSession {
  /// Takes a photo of the frame nearest to now. A session that is paused for inactivity resumes, and the photo is of its first
  /// frame.
  /// - Throws: `SessionError` when the session has no picture or loses it, or does not have this output; `ImageError` when the
  ///   picture is bad; `CancellationError` when the task is cancelled, at once.
  public func capturePhoto(
    _ settings: PhotoSettings = PhotoSettings(), from output: PhotoOutput
  ) async throws -> CapturedPhoto {
    guard photoOutputs.contains(where: { $0 === output }) else { throw SessionError.outputNotAdded }
    let pressed = clock.now()
    if isWaking || machine.state == .paused(.inactivity) { try await waitForPicture() }
    guard machine.state == .running else { throw SessionError.captureRefused(machine.state) }
    guard photoOutputs.contains(where: { $0 === output }) else { throw SessionError.outputRemoved }
    apply(.activity)
    return try await output.capture(settings, pressed: pressed)
  }

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

  /// Presses that wait for the picture of a session that resumes.
  var waitingPresses: Int { presses.count }
}

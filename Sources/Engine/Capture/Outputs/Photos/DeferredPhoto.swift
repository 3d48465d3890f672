/// A photo with a small picture that is available at once, while the full photo follows: the counterpart of AVFoundation's
/// `AVCaptureDeferredPhotoProxy`.
///
/// ```swift
/// let deferred = try await session.captureDeferredPhoto(
///   PhotoSettings(longSide: nil, priority: .quality), from: photos)
/// show(deferred.proxy.photo.bytes)
/// let photo = try await deferred.finished()
/// ```
public struct DeferredPhoto: Sendable {
  /// A small photo of the same frame, to show at once.
  public let proxy: CapturedPhoto
  let answer: PhotoAnswer

  /// Waits for the full photo. May be called repeatedly, and by several tasks.
  /// - Throws: `ImageError` if the picture is bad; `SessionError` with `tooManyPhotos` if the limit of waiting photos is
  ///   reached; `CancellationError` after ``cancel()``, or if this task is cancelled, which does not end the work.
  public func finished() async throws -> CapturedPhoto { try await answer.value() }

  /// Cancels the full photo, unless it is being made or finished already.
  public func cancel() { answer.give(.failure(CancellationError())) }

  /// Whether the photo is finished, has failed, or was cancelled.
  public var isFinished: Bool { !answer.isAwaited }
}

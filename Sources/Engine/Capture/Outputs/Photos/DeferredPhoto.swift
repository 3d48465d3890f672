/// A photo of which a small picture is there at once, and the rest follows: the counterpart of AVFoundation's
/// `AVCaptureDeferredPhotoProxy`.
///
/// ```swift
/// let deferred = try await session.captureDeferredPhoto(
///   PhotoSettings(longSide: nil, priority: .quality), from: photos)
/// show(deferred.proxy.photo.bytes)
/// let photo = try await deferred.finished()
/// ```
public struct DeferredPhoto: Sendable {
  /// A small photo of the same frame, for showing.
  public let proxy: CapturedPhoto
  private let answer: PhotoAnswer

  init(proxy: CapturedPhoto, answer: PhotoAnswer) { (self.proxy, self.answer) = (proxy, answer) }

  /// Waits for the photo. May be asked again, and by several tasks.
  /// - Throws: `ImageError` when the picture is bad, `SessionError` with `tooManyPhotos` when as many as may are waiting already, and
  ///   `CancellationError` when this task is cancelled, which does not end the work, or after ``cancel()``.
  public func finished() async throws -> CapturedPhoto { try await answer.value() }

  /// The photo is not wanted any more. One that is being made, or is made, is not affected.
  public func cancel() { answer.give(.failure(CancellationError())) }

  /// It is there, or failed, or was cancelled.
  public var isFinished: Bool { !answer.isAwaited }
}

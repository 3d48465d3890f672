public import Imagery
public import System

/// A photo with the facts of its capture.
public struct CapturedPhoto: Sendable {
  /// The file and its properties.
  public let photo: Photo
  /// The facts of the frame that it was made of.
  public let frame: FrameFacts
  /// The time when the shutter was pressed.
  public let requestedTime: MonotonicTime
  /// The time when the photo was ready.
  public let finishedTime: MonotonicTime

  /// The camera's settings while the frame was exposed.
  public var settings: FrameSettings { frame.settings }

  /// The time from the press to the exposure; negative if the picture is from before the press.
  public var shutterLag: Duration { frame.exposureTime - requestedTime }
}

/// Makes photos of frames: `PhotoPipeline`, or in tests a type that fails on purpose.
public protocol PhotoProcessing {
  /// Makes a photo of a frame. Called on one thread, one call at a time.
  /// - Parameters:
  ///   - image: the frame as the camera delivered it, in any pixel format.
  ///   - orientation: turns stored pixels upright.
  ///   - settings: the requested settings.
  /// - Throws: the error that `capturePhoto` then throws.
  func process(_ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings) throws(ImageError)
    -> Photo

  /// Called when no more photos are needed for now: ends the processor's own threads, if it has any. The default does nothing.
  func rest()
}

extension PhotoProcessing {
  public func rest() {}
}

extension PhotoPipeline: PhotoProcessing {}

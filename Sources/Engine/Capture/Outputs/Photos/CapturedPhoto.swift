public import Imagery
public import System

/// A photo, and what is known of how it came about.
public struct CapturedPhoto: Sendable {
  /// The file, and what it was made with.
  public let photo: Photo
  /// What is known of the frame it was made of.
  public let frame: FrameFacts
  /// When the shutter was pressed.
  public let requestedTime: MonotonicTime
  /// When the photo was ready.
  public let finishedTime: MonotonicTime

  /// How the camera was set while the frame was exposed.
  public var settings: FrameSettings { frame.settings }

  /// How far the picture is from the press, before (negative) or after it.
  public var shutterLag: Duration { frame.exposureTime - requestedTime }
}

/// Frame → photo: `PhotoPipeline`, or in a test something that fails on purpose.
public protocol PhotoProcessing {
  /// One photo of one frame. Called on one thread, and never twice at once.
  /// - Parameters:
  ///   - image: the frame as the camera delivered it, in any pixel format.
  ///   - orientation: stored pixels → upright.
  ///   - settings: what was asked for.
  /// - Throws: what `capturePhoto` then throws.
  func process(_ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings) throws(ImageError)
    -> Photo

  /// No more photos are wanted for now: ends threads of its own, if it has any. By default there are none.
  func rest()
}

extension PhotoProcessing {
  public func rest() {}
}

extension PhotoPipeline: PhotoProcessing {}

public import Imagery
public import System

/// Receives the frames of a session. ``PreviewOutput``, ``PhotoOutput`` and ``AnalysisOutput`` conform to it, and so does an output of your
/// own.
///
/// It gets each frame as the camera delivered it: on loan from the driver's own memory, in the session's format, compressed or
/// not. Nothing is converted, scaled or turned. `Frame.image` has the bytes and, if the driver shares its memory, the DMA-BUF
/// (`PixelBuffer.shared()`); `Frame.orientation` tells how to turn the picture. Of a compressed frame, only the beginning has been
/// checked (`JPEGCheck`): its data may be damaged or cut short, which decoding shows. The engine's own outputs do not show such a frame.
///
/// ```swift
/// final class NewestFrame: FrameOutput {
///   let frames: AsyncStream<Frame>
///   private let newest: AsyncStream<Frame>.Continuation
///
///   init() {
///     (frames, newest) = AsyncStream.makeStream(of: Frame.self, bufferingPolicy: .bufferingNewest(1))
///   }
///
///   func receive(_ frame: Frame) { newest.yield(frame) }
///
///   func end() { newest.finish() }
/// }
/// ```
///
/// The stream of this example ends with the session, so that `for await` does too; a session that is started again needs another stream.
///
/// A frame that is held is a buffer that the driver cannot fill, and the driver has about eight of them. Release each frame soon. The camera
/// does not run out of buffers: when the driver has two left, further frames are copies, which have no DMA-BUF.
///
/// A session keeps its outputs until they are removed, and calls them from its own threads. So an output must hold its session weakly.
/// AVFoundation's counterpart is `AVCaptureVideoDataOutput`.
public protocol FrameOutput: AnyObject, Sendable {
  /// Called once before the first frame of a session, for example to start a thread; `end()` follows it. Implementing it is optional.
  /// - Throws: an error if the process has no thread or descriptor left for it. `start()` of the session throws it as
  ///   `CameraError.noResources`, and the next `start()` calls this again.
  func begin() throws(ResourceShortage)

  /// Takes or ignores a frame. Frames come in the order of their arrival, between `begin()` and `end()`, one call at a time.
  ///
  /// Called on the capture thread, which may be a real-time one: it must return at once, without waiting or logging. Work on the
  /// picture belongs on a thread or task of the output's own.
  func receive(_ frame: Frame)

  /// Called on the capture thread if the session withheld frames of its camera from this output, before the next frame
  /// that the output gets. A recording uses this to count its missing frames. Implementing it is optional.
  func note(_ gap: StreamGap)

  /// Called when the session has ended, or the output was removed from it: no frame comes until the next `begin()`. `stop()` and `configure` of the
  /// session wait for it. When this returns, everything that the output started must have ended. Implementing it is optional.
  func end()

  /// The device angle to assume for this output's frames, whatever the real angle is; nil follows the device. Implementing it is
  /// optional: the default is nil.
  ///
  /// Called on the capture thread for every frame, so it must return at once. It applies to both parts of `Frame.orientation`, and takes
  /// precedence over the lock of the session's ``RotationCoordinator``.
  var angleLock: Rotation? { get }

  /// Whether the session must not pause for lack of activity (`SessionConfiguration.inactivityTimeout`), for example because a recording is
  /// under way. Called when the timeout has passed, and again each time that it has passed once more.
  /// Implementing it is optional: the default is false.
  var keepsSessionAwake: Bool { get }
}

extension FrameOutput {
  /// Does nothing.
  public func begin() {}
  /// Does nothing: an output that shows or analyses pictures continues with the next frame.
  public func note(_ gap: StreamGap) {}
  /// Does nothing.
  public func end() {}
  /// Nil: the frames follow the device.
  public var angleLock: Rotation? { nil }
  /// False: the session may pause.
  public var keepsSessionAwake: Bool { false }
}

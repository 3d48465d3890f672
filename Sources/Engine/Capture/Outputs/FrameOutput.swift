public import Imagery
public import System

/// Takes the frames of a session: what ``PreviewOutput``, ``PhotoOutput`` and ``AnalysisOutput`` are, and what an output of your
/// own conforms to.
///
/// It gets each frame as the camera delivered it: the loan of the driver's own memory, in the format of the session, compressed or
/// not. Nothing is converted, scaled or turned. `Frame.image` has the bytes and, where the driver shares its memory, the DMA-BUF
/// (`PixelBuffer.shared()`); `Frame.orientation` says how the picture is to be turned. Of a compressed frame only the beginning has been
/// looked at (`JPEGCheck`): its data may be damaged or cut short, which decoding shows. The engine's own outputs show nothing of such a frame.
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
/// Its stream ends with the session, so that `for await` does; a session that is started again needs another one.
///
/// A frame that is held is a buffer that the driver cannot fill, and the driver has about eight of them. Let go of each soon. The camera
/// does not starve: when the driver has two buffers left, further frames are copies, which have no DMA-BUF.
///
/// A session keeps its outputs until they are removed, and calls them from threads of its own, so an output holds its session weakly.
/// AVFoundation's counterpart is `AVCaptureVideoDataOutput`.
public protocol FrameOutput: AnyObject, Sendable {
  /// The session begins. Called once before the first frame, for example to start a thread; `end()` follows it. You need not
  /// implement it.
  /// - Throws: when the process has no thread or descriptor left for it. `start()` of the session throws that reason as
  ///   `CameraError.noResources`, and the next `start()` asks again.
  func begin() throws(ResourceShortage)

  /// Takes a frame, or leaves it. Frames come in the order of their arrival, from `begin()` to `end()`, and not to two threads at once.
  ///
  /// Called on the capture thread, which may be a real-time one: it must return at once, and neither wait nor log. Work on the
  /// picture belongs on a thread or task of the output's own.
  func receive(_ frame: Frame)

  /// The session kept frames of its camera from this output, and the next one that comes is the first again. Called on the capture thread,
  /// before that frame. A recording counts what it lacks by it. You need not implement it.
  func note(_ gap: StreamGap)

  /// The session ended, or the output was removed from it: no frame comes until it begins again. `stop()` and `configure` of the session
  /// wait for it. What the output started has ended when this returns. You need not implement it.
  func end()

  /// The angle that the device is taken to be held at for this output's frames, whatever it is held at; nil follows it. You need not
  /// implement it: the default is nil.
  ///
  /// Asked on the capture thread for every frame, so it must return at once. It counts for `Frame.orientation` in both its parts, and
  /// before the lock of the session's ``RotationCoordinator``.
  var angleLock: Rotation? { get }

  /// Whether the session must not pause for want of activity (`SessionConfiguration.inactivityTimeout`), because a recording is under way,
  /// say. Asked when that time is up, and again after as long. You need not implement it: the default is false.
  var keepsSessionAwake: Bool { get }
}

extension FrameOutput {
  /// Does nothing.
  public func begin() {}
  /// Does nothing: who shows or analyses pictures goes on with the next one.
  public func note(_ gap: StreamGap) {}
  /// Does nothing.
  public func end() {}
  /// Nil: the frames follow the device.
  public var angleLock: Rotation? { nil }
  /// False: nobody waits for these frames.
  public var keepsSessionAwake: Bool { false }
}

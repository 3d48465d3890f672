import Imagery
public import System

/// A time in which the session kept the frames of its camera from an output: a still of another size was taken
/// (``CaptureSession/captureStill(size:_:settling:from:)``).
public struct StreamGap: Hashable, Sendable {
  /// When the exposure of the last frame before it began.
  public let start: MonotonicTime
  /// When the exposure of the first frame after it began.
  public let end: MonotonicTime
  /// Frames that the stream would have had between them.
  public let missing: Int

  /// - Parameter interval: from frame to frame.
  init(start: MonotonicTime, end: MonotonicTime, interval: Duration) {
    self.start = start
    self.end = end
    let intervals = interval > .zero ? ((end - start) / interval).rounded() : 1
    missing = Int(min(max(intervals - 1, 0), 1e9))
  }

  /// How long it lasted, from exposure to exposure.
  public var duration: Duration { end - start }
}

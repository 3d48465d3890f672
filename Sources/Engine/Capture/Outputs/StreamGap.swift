public import System

/// A period in which the session withheld the frames of its camera from an output, because a still of another size was taken
/// (``CaptureSession/captureStill(size:_:settling:from:)``).
public struct StreamGap: Hashable, Sendable {
  /// The time when the exposure of the last frame before the gap began.
  public let start: MonotonicTime
  /// The time when the exposure of the first frame after the gap began.
  public let end: MonotonicTime
  /// The number of frames that are missing in the gap.
  public let missing: Int

  /// - Parameter interval: the time between two frames.
  init(start: MonotonicTime, end: MonotonicTime, interval: Duration) {
    self.start = start
    self.end = end
    let intervals = interval > .zero ? ((end - start) / interval).rounded() : 1
    missing = Int(min(max(intervals - 1, 0), 1e9))
  }

  /// The duration of the gap, from exposure to exposure.
  public var duration: Duration { end - start }
}

import Imagery
import Video4Linux

/// Time stamps and frame numbers as drivers give them, made fit to be relied on.
struct FrameStamp {
  private var tracker = SequenceTracker()
  /// A number that only grows, with the gaps that the device told of.
  private(set) var sequence: UInt32 = 0
  /// A stamp older than this is not believed: no driver keeps a frame so long.
  private static let oldest = Duration.seconds(5)

  /// The number of a good frame. One that repeats, or a counter that starts again, is a new frame all the same.
  mutating func advance(to number: UInt32) -> UInt32 {
    switch tracker.advance(to: number) {
    case .first: sequence = number
    case .gap(let lost): sequence &+= lost &+ 1
    case .next, .repeated, .restarted: sequence &+= 1
    }
    return sequence
  }

  /// The counter begins anew with the stream; ours goes on.
  mutating func restart() { tracker.reset() }

  /// When a frame was exposed. A stamp that lies ahead (vivid's end-of-frame stamps do, by a frame) is held to the arrival: no
  /// frame is there before it was taken. None at all, one on an unknown clock, or one from long ago is replaced by the
  /// arrival, which is after the end of the frame.
  static func exposure(
    of buffer: DequeuedBuffer, arrival: MonotonicTime
  ) -> (time: MonotonicTime, edge: ExposureEdge) {
    guard let nanoseconds = buffer.timestamp, buffer.timestampClock == .monotonic,
      case let stamp = MonotonicTime(nanoseconds: nanoseconds), stamp > arrival - oldest
    else { return (arrival, .endOfFrame) }
    let edge: ExposureEdge = buffer.timestampEdge == .startOfExposure ? .startOfExposure : .endOfFrame
    return (min(stamp, arrival), edge)
  }
}

extension MonotonicTime {
  fileprivate static func - (left: MonotonicTime, right: Duration) -> MonotonicTime {
    left.advanced(by: .zero - right)
  }
}

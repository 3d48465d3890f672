import Imagery
import Video4Linux

/// Time stamps and frame numbers as drivers give them, made fit to be relied on.
struct FrameStamp {
  /// From one frame to the next; nil where the device does not tell.
  private let interval: Duration?
  private var tracker = SequenceTracker()
  private var hasCounted = false
  /// A number that only grows, with the gaps that the device told of.
  private(set) var sequence: UInt32 = 0
  /// A stamp older than this is not believed: no driver keeps a frame so long.
  private static let oldest = Duration.seconds(5)
  /// Nor one as far ahead: a frame of the slowest camera is shorter.
  private static let farthest = Duration.seconds(1)
  /// As the driver gave it, in nanoseconds.
  private var lastStamp: Int64?
  private var lastExposure: MonotonicTime?

  init(interval: Duration?) { self.interval = interval }

  /// The number of a good frame. One that repeats, or a counter that starts again, is a new frame all the same.
  mutating func advance(to number: UInt32) -> UInt32 {
    defer { hasCounted = true }
    switch tracker.advance(to: number) {
    case .first: sequence = hasCounted ? sequence &+ 1 : number
    case .gap(let lost): sequence &+= lost &+ 1
    case .next, .repeated, .restarted: sequence &+= 1
    }
    return sequence
  }

  /// The counter begins anew with the stream; ours goes on.
  mutating func restart() {
    tracker.reset()
    lastStamp = nil
  }

  /// When the exposure of a frame began, never before that of the one before it, and which end of the frame the driver stamped.
  ///
  /// From a stamp of the end one frame interval is taken: an exposure and its read-out take no longer, and how much less,
  /// no driver says. Where the interval is not known nothing is taken. A stamp that lies a little ahead (vivid's stamps of the end
  /// do, by a frame) is held to the arrival: no frame is there before it was taken. None at all, one that does not advance, on an
  /// unknown clock, from long ago or far ahead is replaced by the arrival, which is after the end of the frame.
  mutating func exposure(
    of buffer: DequeuedBuffer, arrival: MonotonicTime
  ) -> (time: MonotonicTime, edge: ExposureEdge) {
    let stamp = believable(buffer, arrival: arrival)
    let edge: ExposureEdge =
      stamp != nil && buffer.timestampEdge == .startOfExposure ? .startOfExposure : .endOfFrame
    let start = (stamp ?? arrival) - (edge == .endOfFrame ? interval ?? .zero : .zero)
    let time = max(min(start, arrival), lastExposure ?? min(start, arrival))
    lastExposure = time
    return (time, edge)
  }

  private mutating func believable(_ buffer: DequeuedBuffer, arrival: MonotonicTime) -> MonotonicTime? {
    guard let nanoseconds = buffer.timestamp, buffer.timestampClock == .monotonic else { return nil }
    defer { lastStamp = nanoseconds }
    let stamp = MonotonicTime(nanoseconds: nanoseconds)
    guard lastStamp.map({ nanoseconds > $0 }) ?? true, stamp > arrival - FrameStamp.oldest,
      stamp < arrival + FrameStamp.farthest
    else { return nil }
    return stamp
  }
}

extension MonotonicTime {
  fileprivate static func - (left: MonotonicTime, right: Duration) -> MonotonicTime {
    left.advanced(by: .zero - right)
  }
}

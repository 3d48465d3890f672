import Imagery
import System
import Video4Linux

/// Time stamps and frame numbers as drivers give them, made fit to be relied on.
struct FrameStamp {
  /// From one frame to the next; nil where the device does not tell.
  private let interval: Duration?
  private var tracker = SequenceTracker()
  private var hasCounted = false
  /// A number that only grows, with the gaps that the device told of.
  private(set) var sequence: UInt32 = 0
  private var clock: StampClock
  private var lastExposure: MonotonicTime?

  init(interval: Duration?) {
    self.interval = interval
    clock = StampClock(interval: interval)
  }

  /// How often the driver's clock has stepped.
  var clockSteps: Int { clock.steps }

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
  mutating func restart(at now: MonotonicTime) {
    tracker.reset()
    clock.restart(at: now)
  }

  /// When the exposure of a frame began, never before that of the one before it, and which end of the frame the driver stamped. Comes after
  /// `advance(to:)`.
  ///
  /// From a stamp of the end one frame interval is taken: an exposure and its read-out take no longer, and how much less,
  /// no driver says. Where the interval is not known nothing is taken. Steps of the driver's clock are taken out (`StampClock`). A stamp
  /// that lies a little ahead (vivid's stamps of the end do, by a frame) is held to the arrival: no frame is there before it was taken.
  /// Where nothing can be read, the frame was stamped as long before its arrival as the one before it; the first one, and each of a clock that
  /// is unknown, has its arrival, which is after the end of the frame.
  mutating func exposure(
    of buffer: DequeuedBuffer, arrival: MonotonicTime
  ) -> (time: MonotonicTime, edge: ExposureEdge) {
    let whole = interval ?? .zero
    let lead = buffer.timestampEdge == .startOfExposure ? .zero : whole
    let (stamp, isRead) = read(buffer, arrival, guess: arrival - (whole - lead))
    let start = stamp.map { $0 - lead } ?? arrival - whole
    let time = max(min(start, arrival), lastExposure ?? min(start, arrival))
    lastExposure = time
    return (time, isRead && buffer.timestampEdge == .startOfExposure ? .startOfExposure : .endOfFrame)
  }

  /// - Returns: when the driver stamped the frame, on our clock, and whether the stamp says so.
  private mutating func read(
    _ buffer: DequeuedBuffer, _ arrival: MonotonicTime, guess: MonotonicTime
  ) -> (time: MonotonicTime?, isRead: Bool) {
    if let stamp = buffer.timestamp, buffer.timestampClock == .monotonic,
      let time = clock.time(of: stamp, number: sequence, arrival: arrival, guess: guess.nanoseconds)
    {
      return (MonotonicTime(nanoseconds: time), !clock.isGuessed)
    }
    return (clock.time(arrivedAt: arrival).map(MonotonicTime.init(nanoseconds:)), false)
  }
}

extension MonotonicTime {
  fileprivate static func - (left: MonotonicTime, right: Duration) -> MonotonicTime {
    left.advanced(by: .zero - right)
  }
}

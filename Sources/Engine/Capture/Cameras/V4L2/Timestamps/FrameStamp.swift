import Imagery
import System
import Video4Linux

/// Corrects the timestamps and frame numbers of drivers, so that they are reliable.
struct FrameStamp {
  /// The time between two frames; nil if the device does not report it.
  private let interval: Duration?
  private var tracker = SequenceTracker()
  private var hasCounted = false
  /// The number of the latest frame. It only grows, and has the gaps that the device reported.
  private(set) var sequence: UInt32 = 0
  private var clock: StampClock
  private var lastExposure: MonotonicTime?

  init(interval: Duration?) {
    self.interval = interval
    clock = StampClock(interval: interval)
  }

  /// The number of times that the driver's clock has stepped.
  var clockSteps: Int { clock.steps }

  /// Counts a good frame with the driver's number, and returns our number for it. A repeated number or a restarted counter counts as a new frame.
  mutating func advance(to number: UInt32) -> UInt32 {
    defer { hasCounted = true }
    switch tracker.advance(to: number) {
    case .first: sequence = hasCounted ? sequence &+ 1 : number
    case .gap(let lost): sequence &+= lost &+ 1
    case .next, .repeated, .restarted: sequence &+= 1
    }
    return sequence
  }

  /// Notes that a stream began: the driver's counter starts again, ours continues.
  mutating func restart(at now: MonotonicTime) {
    tracker.reset()
    clock.restart(at: now)
  }

  /// The time at which the exposure of a frame began, and the instant that the driver stamped (start of exposure or
  /// end of frame). The time is never before that of the previous frame. Call this after `advance(to:)`.
  ///
  /// If the driver stamps the end of the frame, one frame interval is subtracted: an exposure and its read-out take no longer, and no driver
  /// reports how much less. If the interval is unknown, nothing is subtracted. Steps of the driver's clock are removed (`StampClock`). A stamp
  /// slightly ahead of the arrival (vivid's end-of-frame stamps are a frame ahead) is limited to the arrival: no frame arrives before it was taken.
  /// If a stamp is unusable, the delay from stamp to arrival is assumed to be that of the previous frame. The first frame then gets its arrival
  /// time, and so does each frame of an unknown clock; the arrival is after the end of the frame.
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

  /// - Returns: the instant that the driver stamped, on our clock (nil if unknown), and whether it was read from this frame's stamp.
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

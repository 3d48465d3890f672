import CVideo4Linux

/// What to be told of (`VIDIOC_SUBSCRIBE_EVENT`).
public enum EventSubscription: Hashable, Sendable {
  /// The signal or its resolution changed.
  case sourceChange
  /// A decoder or encoder has given its last buffer.
  case endOfStream
  /// A control changed, by whomever.
  case control(ControlID)

  fileprivate var raw: v4l2_event_subscription {
    var raw = v4l2_event_subscription()
    switch self {
    case .sourceChange: raw.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
    case .endOfStream: raw.type = UInt32(V4L2_EVENT_EOS)
    case .control(let id):
      raw.type = UInt32(V4L2_EVENT_CTRL)
      raw.id = id.rawValue
    }
    return raw
  }
}

/// Something a device told of itself (`VIDIOC_DQEVENT`).
public struct VideoEvent: Hashable, Sendable {
  /// What it is about.
  public enum Kind: Hashable, Sendable {
    /// Set the timings and the format anew. `resolution` is false when something else than the size changed.
    case sourceChange(resolution: Bool)
    /// A decoder or encoder has given its last buffer.
    case endOfStream
    /// - `value`: nil when only its range or flags changed.
    case control(ControlID, value: Int64?)
    /// One this program did not ask for (`V4L2_EVENT_…`).
    case other(UInt32)
  }

  /// What it is about.
  public let kind: Kind
  /// Gaps mean events were lost.
  public let sequence: UInt32
  /// More that already wait.
  public let pending: Int
  /// Nanoseconds on `CLOCK_MONOTONIC`.
  public let timestamp: Int64

  init(_ raw: v4l2_event) {
    kind =
      switch Int32(bitPattern: raw.type) {
      case V4L2_EVENT_SOURCE_CHANGE:
        .sourceChange(resolution: raw.u.src_change.changes & UInt32(V4L2_EVENT_SRC_CH_RESOLUTION) != 0)
      case V4L2_EVENT_EOS: .endOfStream
      case V4L2_EVENT_CTRL:
        .control(ControlID(rawValue: raw.id), value: VideoEvent.value(of: raw.u.ctrl))
      default: .other(raw.type)
      }
    sequence = raw.sequence
    pending = Int(raw.pending)
    let (seconds, overflow) = Int64(raw.timestamp.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowOfSum) = seconds.addingReportingOverflow(Int64(raw.timestamp.tv_nsec))
    timestamp = overflow || overflowOfSum ? 0 : sum
  }

  private static func value(of control: v4l2_event_ctrl) -> Int64? {
    guard control.changes & UInt32(V4L2_EVENT_CTRL_CH_VALUE) != 0 else { return nil }
    return control.type == V4L2_CTRL_TYPE_INTEGER64.rawValue ? control.value64 : Int64(control.value)
  }
}

extension VideoDevice {
  /// - Returns: false when the device has no such event: a camera has no source change.
  public func subscribe(to subscription: EventSubscription) throws(VideoDeviceError) -> Bool {
    var raw = subscription.raw
    return try control(.subscribeEvent, &raw, unless: [.invalidArgument, .notTTY])
  }

  /// The oldest event that waits; nil when there is none.
  public func nextEvent() throws(VideoDeviceError) -> VideoEvent? {
    var raw = v4l2_event()
    guard try control(.dequeueEvent, &raw, unless: [.noEntry, .tryAgain, .notTTY, .invalidArgument])
    else { return nil }
    return VideoEvent(raw)
  }
}

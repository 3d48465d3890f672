import CVideo4Linux

/// A kind of event to subscribe to (`VIDIOC_SUBSCRIBE_EVENT`).
public enum EventSubscription: Hashable, Sendable {
  /// The signal or its resolution changed.
  case sourceChange
  /// A decoder or encoder has delivered its last buffer.
  case endOfStream
  /// A control changed, whatever caused it.
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

/// An event that a device reported (`VIDIOC_DQEVENT`).
public struct VideoEvent: Hashable, Sendable {
  /// The subject of the event.
  public enum Kind: Hashable, Sendable {
    /// The source changed: set timings and format anew. `resolution` is false if something other than the size changed.
    case sourceChange(resolution: Bool)
    /// A decoder or encoder has delivered its last buffer.
    case endOfStream
    /// A control changed. `value` is nil if only its range or flags changed.
    case control(ControlID, value: Int64?)
    /// An event that this program did not subscribe to (`V4L2_EVENT_…`).
    case other(UInt32)
  }

  /// The subject of the event.
  public let kind: Kind
  /// The number of the event; gaps mean lost events.
  public let sequence: UInt32
  /// The number of further pending events.
  public let pending: Int
  /// The time in nanoseconds on `CLOCK_MONOTONIC`.
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
  /// - Returns: false if the device does not support this event, as a camera does not support source changes.
  public func subscribe(to subscription: EventSubscription) throws(VideoDeviceError) -> Bool {
    var raw = subscription.raw
    return try control(.subscribeEvent, &raw, unless: [.invalidArgument, .notTTY])
  }

  /// The oldest pending event; nil if there is none.
  public func nextEvent() throws(VideoDeviceError) -> VideoEvent? {
    var raw = v4l2_event()
    guard try control(.dequeueEvent, &raw, unless: [.noEntry, .tryAgain, .notTTY, .invalidArgument])
    else { return nil }
    return VideoEvent(raw)
  }
}

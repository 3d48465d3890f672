import Video4Linux

/// The signal on a digital input, such as HDMI: what it was when the device was opened, and what has become of it.
struct V4L2Signal {
  enum Change: Hashable {
    case none, lost
    /// It is another one: size and rate follow it only when the device is set up anew.
    case other(String)
  }

  private let device: VideoDevice
  /// Those of the signal it receives; those it is set to while it receives none.
  private(set) var timings: DVTimings
  private var inForce: DVTimings

  /// Looks at the signal that the device receives, if any, and changes nothing.
  /// - Returns: nil for a camera, which has no such input.
  init?(of device: VideoDevice) throws(VideoDeviceError) {
    guard let current = try device.currentTimings() else { return nil }
    self.device = device
    inForce = current
    if case .locked(let received) = try device.signal() { timings = received } else { timings = current }
  }

  /// The device is not yet set to the signal that it receives.
  var isToBeSet: Bool { !timings.isSame(as: inForce) }

  /// Sets the device to the signal that it receives.
  mutating func follow() throws(VideoDeviceError) {
    if case .locked(let received) = try device.signal() { timings = received }
    guard isToBeSet else { return }
    try device.setTimings(timings)
    inForce = timings
  }

  func change() throws(VideoDeviceError) -> Change {
    guard case .locked(let received) = try device.signal() else { return .lost }
    return received.isSame(as: timings) ? .none : .other(received.description)
  }
}

extension DVTimings {
  fileprivate func isSame(as other: DVTimings) -> Bool {
    size == other.size && total == other.total && pixelClock == other.pixelClock
      && isInterlaced == other.isInterlaced
  }
}

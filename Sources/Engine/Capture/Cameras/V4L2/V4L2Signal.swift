import Video4Linux

/// The signal on a digital input, such as HDMI: its timings when the device was opened, and how it has changed since.
struct V4L2Signal {
  enum Change: Hashable {
    case none, lost
    /// Another signal, described by its timings. Its size and rate take effect only when the device is set up again.
    case other(String)
  }

  private let device: VideoDevice
  /// The timings of the received signal; without a signal, those that the device is set to.
  private(set) var timings: DVTimings
  private var inForce: DVTimings

  /// Reads the signal that the device receives, if any, and changes nothing.
  /// - Returns: nil for a camera, which has no such input.
  init?(of device: VideoDevice) throws(VideoDeviceError) {
    guard let current = try device.currentTimings() else { return nil }
    self.device = device
    inForce = current
    if case .locked(let received) = try device.signal() { timings = received } else { timings = current }
  }

  /// Whether the device is not yet set to the signal that it receives.
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

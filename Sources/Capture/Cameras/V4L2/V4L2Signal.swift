import Video4Linux

/// The signal on a digital input, such as HDMI: what it was when the device was opened, and what has become of it.
struct V4L2Signal {
  enum Change: Hashable {
    case none, lost
    /// It is another one: size and rate follow it only when the device is set up anew.
    case other(String)
  }

  private let device: VideoDevice
  private let timings: DVTimings

  /// Sets the device to the signal it receives, if any.
  /// - Returns: nil for a camera, which has no such input.
  init?(following device: VideoDevice) throws(VideoDeviceError) {
    guard let current = try device.currentTimings() else { return nil }
    self.device = device
    guard case .locked(let received) = try device.signal(), !received.isSame(as: current) else {
      timings = current
      return
    }
    try device.setTimings(received)
    timings = received
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

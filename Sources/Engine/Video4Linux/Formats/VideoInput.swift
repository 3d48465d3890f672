import CVideo4Linux

/// One of the inputs of a device (`VIDIOC_ENUMINPUT`): most cameras have one, a grabber several.
public struct VideoInput: Hashable, Sendable {
  /// The number for `setInput(_:)`.
  public let index: Int
  /// The driver's name for the input.
  public let name: String
  /// Whether the input is a camera (`V4L2_INPUT_TYPE_CAMERA`) rather than a tuner or touch pad; HDMI inputs are reported as cameras too.
  public let isCamera: Bool
  /// Whether the format follows digital timings (`VideoDevice.timings`).
  public let hasTimings: Bool
  /// Whether the connected device has power, as far as the driver reports it.
  public let hasPower: Bool
  /// Whether the input has a signal, as far as the driver reports it.
  public let hasSignal: Bool
  /// Whether the picture arrives flipped left to right.
  public let isFlippedHorizontally: Bool
  /// Whether the picture arrives upside down.
  public let isFlippedVertically: Bool

  init(_ raw: v4l2_input) {
    func status(_ flag: Int32) -> Bool { raw.status & UInt32(bitPattern: flag) != 0 }
    index = Int(raw.index)
    name = String(deviceText: raw.name)
    isCamera = raw.type == UInt32(V4L2_INPUT_TYPE_CAMERA)
    hasTimings = raw.capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0
    hasPower = !status(V4L2_IN_ST_NO_POWER)
    hasSignal = !status(V4L2_IN_ST_NO_SIGNAL)
    isFlippedHorizontally = status(V4L2_IN_ST_HFLIP)
    isFlippedVertically = status(V4L2_IN_ST_VFLIP)
  }
}

extension VideoDevice {
  /// The inputs in the driver's order; at most 64.
  public func inputs() throws(VideoDeviceError) -> [VideoInput] {
    try enumerate(.enumerateInputs, limit: 64) { index in
      var raw = v4l2_input()
      raw.index = index
      return raw
    } _: { raw in
      VideoInput(raw)
    }
  }

  /// The index of the selected input; nil if the device has no choice of inputs.
  public func currentInput() throws(VideoDeviceError) -> Int? {
    var index: Int32 = 0
    guard try control(.getInput, &index, unless: [.notTTY, .invalidArgument]) else { return nil }
    return Int(index)
  }

  /// Selects an input; format and timings may change with it.
  /// - Throws: `.unsupported` if there is no such input, `.busy` while buffers are allocated.
  public func setInput(_ index: Int) throws(VideoDeviceError) {
    var raw = Int32(clamping: index)
    try control(.setInput, &raw, subject: "input \(index)")
  }
}

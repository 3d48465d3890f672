import CVideo4Linux

extension VideoDevice {
  /// The present frame interval (`VIDIOC_G_PARM`); nil if the device has none of its own, as with HDMI inputs.
  public func frameInterval() throws(VideoDeviceError) -> TimePerFrame? {
    var raw = v4l2_streamparm()
    raw.type = try bufferType().number
    guard try control(.getParameters, &raw, unless: [.notTTY, .invalidArgument]) else { return nil }
    return interval(of: raw)
  }

  /// Sets a frame interval (`VIDIOC_S_PARM`). The driver chooses the nearest interval that it supports.
  /// - Returns: the present interval; nil if the interval of the device cannot be set.
  public func setFrameInterval(_ interval: TimePerFrame) throws(VideoDeviceError) -> TimePerFrame? {
    let type = try bufferType()
    var raw = v4l2_streamparm()
    raw.type = type.number
    if type.isOutput {
      raw.parm.output.timeperframe = interval.raw
    } else {
      raw.parm.capture.timeperframe = interval.raw
    }
    guard try control(.setParameters, &raw, unless: [.notTTY, .invalidArgument]) else { return nil }
    return self.interval(of: raw)
  }

  private func interval(of raw: v4l2_streamparm) -> TimePerFrame? {
    let isOutput = capabilities.bufferType?.isOutput == true
    let capability = isOutput ? raw.parm.output.capability : raw.parm.capture.capability
    guard capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0 else { return nil }
    return TimePerFrame(isOutput ? raw.parm.output.timeperframe : raw.parm.capture.timeperframe)
  }
}

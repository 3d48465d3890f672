import CVideo4Linux

extension VideoDevice {
  /// The present format (`VIDIOC_G_FMT`).
  public func format() throws(VideoDeviceError) -> VideoFormat {
    try exchange(.getFormat, nil)
  }

  /// Sets a format (`VIDIOC_S_FMT`). The driver chooses the nearest format that it supports, which is returned: compare it with the request.
  /// - Throws: `.busy` while buffers are allocated.
  public func setFormat(_ format: VideoFormat) throws(VideoDeviceError) -> VideoFormat {
    try exchange(.setFormat, format)
  }

  /// The format that `setFormat` would return, without changing anything (`VIDIOC_TRY_FMT`).
  public func tryFormat(_ format: VideoFormat) throws(VideoDeviceError) -> VideoFormat {
    try exchange(.tryFormat, format)
  }

  private func exchange(_ request: Request, _ wanted: VideoFormat?) throws(VideoDeviceError) -> VideoFormat {
    let type = try bufferType()
    var raw = v4l2_format()
    raw.type = type.number
    if let wanted {
      if type.isMultiplanar { raw.fmt.pix_mp = wanted.multiPlanar } else { raw.fmt.pix = wanted.singlePlanar }
    }
    try control(request, &raw, subject: wanted?.description ?? "")
    let format = type.isMultiplanar ? VideoFormat(raw.fmt.pix_mp) : VideoFormat(raw.fmt.pix)
    guard let format else { throw fault(request, "the format has no plane or more than 8") }
    return format
  }
}

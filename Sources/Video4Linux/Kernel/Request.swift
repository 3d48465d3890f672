import CVideo4Linux

/// The ioctls this room performs, under the kernel's own names
/// (Linux kernel documentation, userspace-api/media/v4l/user-func).
public enum Request: String, Sendable, CaseIterable {
  case queryCapabilities = "VIDIOC_QUERYCAP"
  case enumerateFormats = "VIDIOC_ENUM_FMT"
  case enumerateFrameSizes = "VIDIOC_ENUM_FRAMESIZES"
  case enumerateFrameIntervals = "VIDIOC_ENUM_FRAMEINTERVALS"
  case getFormat = "VIDIOC_G_FMT"
  case setFormat = "VIDIOC_S_FMT"
  case tryFormat = "VIDIOC_TRY_FMT"
  case getParameters = "VIDIOC_G_PARM"
  case setParameters = "VIDIOC_S_PARM"
  case enumerateInputs = "VIDIOC_ENUMINPUT"
  case getInput = "VIDIOC_G_INPUT"
  case setInput = "VIDIOC_S_INPUT"
  case enumerateTimings = "VIDIOC_ENUM_DV_TIMINGS"
  case queryTimings = "VIDIOC_QUERY_DV_TIMINGS"
  case getTimings = "VIDIOC_G_DV_TIMINGS"
  case setTimings = "VIDIOC_S_DV_TIMINGS"
  case getSelection = "VIDIOC_G_SELECTION"
  case setSelection = "VIDIOC_S_SELECTION"
  case requestBuffers = "VIDIOC_REQBUFS"
  case queryBuffer = "VIDIOC_QUERYBUF"
  case queueBuffer = "VIDIOC_QBUF"
  case dequeueBuffer = "VIDIOC_DQBUF"
  case exportBuffer = "VIDIOC_EXPBUF"
  case streamOn = "VIDIOC_STREAMON"
  case streamOff = "VIDIOC_STREAMOFF"
  case queryControl = "VIDIOC_QUERY_EXT_CTRL"
  case queryMenu = "VIDIOC_QUERYMENU"
  case getControls = "VIDIOC_G_EXT_CTRLS"
  case setControls = "VIDIOC_S_EXT_CTRLS"
  case subscribeEvent = "VIDIOC_SUBSCRIBE_EVENT"
  case unsubscribeEvent = "VIDIOC_UNSUBSCRIBE_EVENT"
  case dequeueEvent = "VIDIOC_DQEVENT"

  /// The number `ioctl(2)` takes.
  var number: UInt {
    switch self {
    case .queryCapabilities: CV4L2_QUERYCAP
    case .enumerateFormats: CV4L2_ENUM_FMT
    case .enumerateFrameSizes: CV4L2_ENUM_FRAMESIZES
    case .enumerateFrameIntervals: CV4L2_ENUM_FRAMEINTERVALS
    case .getFormat: CV4L2_G_FMT
    case .setFormat: CV4L2_S_FMT
    case .tryFormat: CV4L2_TRY_FMT
    case .getParameters: CV4L2_G_PARM
    case .setParameters: CV4L2_S_PARM
    case .enumerateInputs: CV4L2_ENUMINPUT
    case .getInput: CV4L2_G_INPUT
    case .setInput: CV4L2_S_INPUT
    case .enumerateTimings: CV4L2_ENUM_DV_TIMINGS
    case .queryTimings: CV4L2_QUERY_DV_TIMINGS
    case .getTimings: CV4L2_G_DV_TIMINGS
    case .setTimings: CV4L2_S_DV_TIMINGS
    case .getSelection: CV4L2_G_SELECTION
    case .setSelection: CV4L2_S_SELECTION
    case .requestBuffers: CV4L2_REQBUFS
    case .queryBuffer: CV4L2_QUERYBUF
    case .queueBuffer: CV4L2_QBUF
    case .dequeueBuffer: CV4L2_DQBUF
    case .exportBuffer: CV4L2_EXPBUF
    case .streamOn: CV4L2_STREAMON
    case .streamOff: CV4L2_STREAMOFF
    case .queryControl: CV4L2_QUERY_EXT_CTRL
    case .queryMenu: CV4L2_QUERYMENU
    case .getControls: CV4L2_G_EXT_CTRLS
    case .setControls: CV4L2_S_EXT_CTRLS
    case .subscribeEvent: CV4L2_SUBSCRIBE_EVENT
    case .unsubscribeEvent: CV4L2_UNSUBSCRIBE_EVENT
    case .dequeueEvent: CV4L2_DQEVENT
    }
  }
}

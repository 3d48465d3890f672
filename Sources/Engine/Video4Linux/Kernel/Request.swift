import CVideo4Linux
import Log

/// The ioctls this room performs, under the kernel's own names
/// (Linux kernel documentation, userspace-api/media/v4l/user-func).
public enum Request: String, Sendable, CaseIterable {
  /// What the device is and can do.
  case queryCapabilities = "VIDIOC_QUERYCAP"
  /// The pixel formats, one after another.
  case enumerateFormats = "VIDIOC_ENUM_FMT"
  /// The frame sizes of a pixel format.
  case enumerateFrameSizes = "VIDIOC_ENUM_FRAMESIZES"
  /// The frame intervals of a pixel format and size.
  case enumerateFrameIntervals = "VIDIOC_ENUM_FRAMEINTERVALS"
  /// The format that is set.
  case getFormat = "VIDIOC_G_FMT"
  /// Sets the format; the driver answers with the nearest that it has.
  case setFormat = "VIDIOC_S_FMT"
  /// The nearest format, without setting it.
  case tryFormat = "VIDIOC_TRY_FMT"
  /// The frame interval that is set.
  case getParameters = "VIDIOC_G_PARM"
  /// Sets the frame interval.
  case setParameters = "VIDIOC_S_PARM"
  /// The inputs, one after another.
  case enumerateInputs = "VIDIOC_ENUMINPUT"
  /// The input that is chosen.
  case getInput = "VIDIOC_G_INPUT"
  /// Chooses an input.
  case setInput = "VIDIOC_S_INPUT"
  /// The video timings that the device can capture.
  case enumerateTimings = "VIDIOC_ENUM_DV_TIMINGS"
  /// The timings of the signal that is there.
  case queryTimings = "VIDIOC_QUERY_DV_TIMINGS"
  /// The timings that are set.
  case getTimings = "VIDIOC_G_DV_TIMINGS"
  /// Sets the timings.
  case setTimings = "VIDIOC_S_DV_TIMINGS"
  /// A rectangle of cropping or composing.
  case getSelection = "VIDIOC_G_SELECTION"
  /// Sets a rectangle of cropping or composing.
  case setSelection = "VIDIOC_S_SELECTION"
  /// Makes buffers in the driver; none frees them.
  case requestBuffers = "VIDIOC_REQBUFS"
  /// Where a buffer can be mapped, and how large it is.
  case queryBuffer = "VIDIOC_QUERYBUF"
  /// Gives a buffer to the driver to be filled.
  case queueBuffer = "VIDIOC_QBUF"
  /// Takes a filled buffer from the driver.
  case dequeueBuffer = "VIDIOC_DQBUF"
  /// A DMA-BUF descriptor of a buffer.
  case exportBuffer = "VIDIOC_EXPBUF"
  /// Begins the stream.
  case streamOn = "VIDIOC_STREAMON"
  /// Ends the stream; every buffer is ours again.
  case streamOff = "VIDIOC_STREAMOFF"
  /// What a control is, or the next after it.
  case queryControl = "VIDIOC_QUERY_EXT_CTRL"
  /// An item of a menu control.
  case queryMenu = "VIDIOC_QUERYMENU"
  /// The values of controls.
  case getControls = "VIDIOC_G_EXT_CTRLS"
  /// Sets the values of controls.
  case setControls = "VIDIOC_S_EXT_CTRLS"
  /// Asks to be told of an event.
  case subscribeEvent = "VIDIOC_SUBSCRIBE_EVENT"
  /// Asks to be told no more.
  case unsubscribeEvent = "VIDIOC_UNSUBSCRIBE_EVENT"
  /// Takes an event.
  case dequeueEvent = "VIDIOC_DQEVENT"

  /// Of the log: what is asked for each frame is told more seldom than what sets a device up.
  var level: LogLevel {
    [.queueBuffer, .dequeueBuffer, .dequeueEvent].contains(self) ? .trace : .debug
  }

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

import CVideo4Linux
import Log

/// The ioctls of this module, with the kernel's names
/// (Linux kernel documentation, userspace-api/media/v4l/user-func).
public enum Request: String, Sendable, CaseIterable {
  /// Queries the identity and the capabilities of the device.
  case queryCapabilities = "VIDIOC_QUERYCAP"
  /// Enumerates the pixel formats.
  case enumerateFormats = "VIDIOC_ENUM_FMT"
  /// Enumerates the frame sizes of a pixel format.
  case enumerateFrameSizes = "VIDIOC_ENUM_FRAMESIZES"
  /// Enumerates the frame intervals of a pixel format and size.
  case enumerateFrameIntervals = "VIDIOC_ENUM_FRAMEINTERVALS"
  /// Gets the present format.
  case getFormat = "VIDIOC_G_FMT"
  /// Sets the format; the driver answers with the nearest one that it supports.
  case setFormat = "VIDIOC_S_FMT"
  /// Gets the supported format nearest to a given one, without setting it.
  case tryFormat = "VIDIOC_TRY_FMT"
  /// Gets the present frame interval.
  case getParameters = "VIDIOC_G_PARM"
  /// Sets the frame interval.
  case setParameters = "VIDIOC_S_PARM"
  /// Enumerates the inputs.
  case enumerateInputs = "VIDIOC_ENUMINPUT"
  /// Gets the selected input.
  case getInput = "VIDIOC_G_INPUT"
  /// Selects an input.
  case setInput = "VIDIOC_S_INPUT"
  /// Enumerates the video timings that the device can capture.
  case enumerateTimings = "VIDIOC_ENUM_DV_TIMINGS"
  /// Gets the timings of the received signal.
  case queryTimings = "VIDIOC_QUERY_DV_TIMINGS"
  /// Gets the present timings.
  case getTimings = "VIDIOC_G_DV_TIMINGS"
  /// Sets the timings.
  case setTimings = "VIDIOC_S_DV_TIMINGS"
  /// Gets a rectangle of cropping or composing.
  case getSelection = "VIDIOC_G_SELECTION"
  /// Sets a rectangle of cropping or composing.
  case setSelection = "VIDIOC_S_SELECTION"
  /// Allocates buffers in the driver; a count of 0 frees them.
  case requestBuffers = "VIDIOC_REQBUFS"
  /// Gets the offset and the length of a buffer, for mapping it.
  case queryBuffer = "VIDIOC_QUERYBUF"
  /// Queues a buffer for the driver to fill.
  case queueBuffer = "VIDIOC_QBUF"
  /// Takes a filled buffer from the driver.
  case dequeueBuffer = "VIDIOC_DQBUF"
  /// Exports a buffer as a DMA-BUF descriptor.
  case exportBuffer = "VIDIOC_EXPBUF"
  /// Begins the stream.
  case streamOn = "VIDIOC_STREAMON"
  /// Ends the stream; the driver gives up all buffers.
  case streamOff = "VIDIOC_STREAMOFF"
  /// Queries a control by its number, or the next control after a number.
  case queryControl = "VIDIOC_QUERY_EXT_CTRL"
  /// Queries an item of a menu control.
  case queryMenu = "VIDIOC_QUERYMENU"
  /// Gets the values of controls.
  case getControls = "VIDIOC_G_EXT_CTRLS"
  /// Sets the values of controls.
  case setControls = "VIDIOC_S_EXT_CTRLS"
  /// Subscribes to an event.
  case subscribeEvent = "VIDIOC_SUBSCRIBE_EVENT"
  /// Unsubscribes from an event.
  case unsubscribeEvent = "VIDIOC_UNSUBSCRIBE_EVENT"
  /// Takes an event.
  case dequeueEvent = "VIDIOC_DQEVENT"

  /// The log level: calls for each frame have a lower level than those that set up a device.
  var level: LogLevel {
    [.queueBuffer, .dequeueBuffer, .dequeueEvent].contains(self) ? .trace : .debug
  }

  /// The number for `ioctl(2)`.
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

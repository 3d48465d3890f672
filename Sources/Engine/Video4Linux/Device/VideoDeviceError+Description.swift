extension VideoDeviceError: CustomStringConvertible {
  /// One sentence: the action, the device, the reason, the remedy.
  public var description: String {
    let asked = subject.isEmpty ? "" : " (\(subject))"
    return "Could not \(operation.purpose) \(path)\(asked): \(clause)."
  }

  /// The reason and the remedy alone, as a clause for a sentence that names the device.
  public var clause: String {
    "\(reason.explanation) (\(operation.name)\(errno.map { ": \($0.symbol)" } ?? "")); \(reason.remedy)"
  }
}

extension VideoDeviceError.Reason {
  fileprivate var explanation: String {
    switch self {
    case .notFound: "there is no such device"
    case .permissionDenied: "this user may not use it"
    case .busy: "the device is busy"
    case .disconnected: "the device is no longer there"
    case .inputOutput: "the device reported a fault"
    case .unsupported: "the device does not support this"
    case .refused: "the device refused the request"
    case .noBandwidth: "its bus has no bandwidth left"
    case .outOfMemory: "the system has no memory for it"
    case .noDescriptors: "this process may open no more files"
    case .noSignal: "no usable signal is connected"
    case .notLinked: "its driver finds no link to what delivers the pictures"
    case .endOfStream: "the stream has ended"
    case .driverFault(let fault): "its driver broke the V4L2 rules, \(fault)"
    case .misuse(let fault): "the request was wrong, \(fault)"
    case .system(let errno): "\(errno)"
    }
  }

  fileprivate var remedy: String {
    switch self {
    case .notFound: "check the cable and list the devices with `swiftwing devices`"
    case .permissionDenied: "add yourself to the group `video` and log in again"
    case .busy: "close the other program that uses the camera"
    case .disconnected: "plug it in again"
    case .inputOutput: "restart the stream, and plug the device in again if that does not help"
    case .unsupported: "choose a format or control that `swiftwing devices` lists for it"
    case .refused: "try again, or ask for values that `swiftwing devices` lists for it"
    case .noBandwidth: "ask for a smaller or compressed format, or use another USB port"
    case .outOfMemory: "ask for fewer or smaller buffers"
    case .noDescriptors: "close cameras or files in this process, or raise its limit with `ulimit -n`"
    case .noSignal: "connect a source and switch it on"
    case .notLinked: "connect its source, or set up the links between its parts with `media-ctl`"
    case .driverFault: "update the kernel or report the driver"
    case .endOfStream: "start the stream again"
    case .misuse: "report this as a defect"
    case .system: "see the kernel's log with `dmesg`"
    }
  }
}

extension VideoDeviceError.Operation {
  /// The name of the system call or ioctl.
  public var name: String {
    switch self {
    case .open: "open"
    case .control(let request): request.rawValue
    case .map: "mmap"
    case .poll: "poll"
    case .deviceEvents: "netlink"
    case .readDirectory: "readdir"
    }
  }

  fileprivate var purpose: String {
    switch self {
    case .open: "open"
    case .control(let request): "\(request.purpose) on"
    case .map: "map a buffer of"
    case .poll: "wait for news on"
    case .deviceEvents: "listen for devices coming and going on"
    case .readDirectory: "list the video devices in"
    }
  }
}

extension Request {
  fileprivate var purpose: String {
    switch self {
    case .queryCapabilities: "ask what the device is"
    case .enumerateFormats, .enumerateFrameSizes, .enumerateFrameIntervals: "list the formats"
    case .getFormat: "read the format"
    case .setFormat, .tryFormat: "set the format"
    case .getParameters: "read the frame rate"
    case .setParameters: "set the frame rate"
    case .enumerateInputs, .getInput: "list the inputs"
    case .setInput: "choose the input"
    case .enumerateTimings, .queryTimings, .getTimings: "read the video timings"
    case .setTimings: "set the video timings"
    case .getSelection: "read the crop"
    case .setSelection: "set the crop"
    case .requestBuffers, .queryBuffer: "allocate buffers"
    case .queueBuffer: "hand a buffer to the driver"
    case .dequeueBuffer: "take a frame"
    case .exportBuffer: "share a buffer"
    case .streamOn: "start streaming"
    case .streamOff: "stop streaming"
    case .queryControl, .queryMenu: "list the controls"
    case .getControls: "read a control"
    case .setControls: "set a control"
    case .subscribeEvent, .unsubscribeEvent: "subscribe to device events"
    case .dequeueEvent: "read a device event"
    }
  }
}

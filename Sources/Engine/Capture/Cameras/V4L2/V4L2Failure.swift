import Video4Linux

extension CameraError {
  /// The camera's own word for what the device said.
  /// - Parameter wasOpen: the camera has been seen before: its absence is a disconnection then.
  init(_ error: VideoDeviceError, source: String, wasOpen: Bool) {
    switch error.reason {
    case .notFound:
      self =
        wasOpen
        ? .disconnected(source)
        : .notFound(source, remedy: "check the cable; `swiftwing devices` lists the cameras that are here")
    case .disconnected: self = .disconnected(source)
    case .permissionDenied: self = .permissionDenied(source)
    case .busy: self = .busy(source)
    // A camera that has worked is tried again like any that failed: descriptors come back.
    case .noDescriptors where !wasOpen: self = .noResources(source, reason: "\(error)")
    case .unsupported where error.isOfNoVideoDevice:
      self = .invalidSource(source, reason: "it is not a device that captures video")
    case .unsupported where error.operation == .control(.enumerateFormats):
      self = .invalidSource(source, reason: "it lists no formats")
    // The driver's first answer is invalid, so opening it again would not help.
    case .driverFault where !wasOpen: self = .broken(source, reason: "\(error)")
    case .inputOutput, .refused, .noBandwidth, .outOfMemory, .noSignal, .notLinked, .endOfStream, .misuse,
      .system, .noDescriptors, .unsupported, .driverFault:
      self = .failed(source, reason: "\(error)")
    }
  }
}

extension VideoDeviceError {
  /// What was opened is something else.
  var isOfNoVideoDevice: Bool { reason == .unsupported && operation == .control(.queryCapabilities) }
}

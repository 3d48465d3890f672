import Video4Linux

extension CameraError {
  /// The camera error for an error of the device.
  /// - Parameter wasOpen: whether the camera was open before; its absence then means a disconnection.
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
    // Only for the first opening: a camera that worked before is retried as after any other failure, since descriptors become free again.
    case .noDescriptors where !wasOpen: self = .noResources(source, reason: error.clause)
    case .unsupported where error.isOfNoVideoDevice:
      self = .invalidSource(source, reason: "it is not a device that captures video")
    case .unsupported where error.operation == .control(.enumerateFormats):
      self = .invalidSource(
        source, reason: "its driver lists no pixel formats; update the kernel or report the driver")
    // The driver's first answer is invalid, so opening it again would not help.
    case .driverFault where !wasOpen: self = .broken(source, reason: "\(error)")
    case .inputOutput, .refused, .noBandwidth, .outOfMemory, .noSignal, .notLinked, .endOfStream, .misuse,
      .system, .noDescriptors, .unsupported, .driverFault:
      self = .failed(source, reason: "\(error)")
    }
  }
}

extension VideoDeviceError {
  /// Whether the opened node is no video device.
  var isOfNoVideoDevice: Bool { reason == .unsupported && operation == .control(.queryCapabilities) }
}

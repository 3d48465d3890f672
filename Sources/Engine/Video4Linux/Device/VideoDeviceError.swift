/// An error of a video device: the operation, the device, the system's reason and the remedy.
public struct VideoDeviceError: Error, Hashable, Sendable {
  /// The kind of error, on which recovery is based. This enumeration is closed: an error number without a kind of its own is `system`, even if
  /// a later kernel adds it.
  public enum Reason: Hashable, Sendable {
    /// No such device node (`ENOENT`), or no driver behind it (`ENXIO`).
    case notFound
    /// `EACCES` or `EPERM` from opening. Usually the user is not in the group `video`.
    case permissionDenied
    /// Another program holds the device or its buffers (`EBUSY`).
    case busy
    /// The device is gone (`ENODEV`; `ENOTTY` from a call that it supported before; a closed `VideoDevice`). Reopen it.
    case disconnected
    /// The device reported a fault (`EIO`, `EPROTO`). It often passes after a restart of the stream.
    case inputOutput
    /// The device or its driver cannot do this (`ENOTTY`, or `EINVAL` from calls where it has this meaning).
    case unsupported
    /// The driver refused the values (`EINVAL`, `ERANGE`; `EACCES` and `EPERM` from a device that is open): a
    /// limit of the device, or a passing fault.
    case refused
    /// The bus does not have enough bandwidth left (`ENOSPC`).
    case noBandwidth
    /// The kernel has no memory for the buffers (`ENOMEM`).
    case outOfMemory
    /// The limit of open files of the process or the system is reached (`EMFILE`, `ENFILE`).
    case noDescriptors
    /// A receiver has no signal, or none it can lock to (`ENOLINK` and `ENOLCK` from calls about a signal's timings).
    case noSignal
    /// `ENOLINK` from any other call: the source of the pictures is not linked. The missing source of a receiver is its signal; that
    /// of a camera is a part of the camera (V4L2, `VIDIOC_STREAMON`: "the pipeline link configuration is invalid").
    case notLinked
    /// The stream has ended (`EPIPE`).
    case endOfStream
    /// The driver violated the rules of V4L2; the text gives the details.
    case driverFault(String)
    /// This program misused the interface; the text gives the details.
    case misuse(String)
    /// Any other error.
    case system(Errno)
  }

  /// The kind of error. Base decisions on it.
  public let reason: Reason
  /// The operation that failed.
  public let operation: Operation
  /// The path of the device node, as it was opened.
  public let path: String
  /// The system's error number; nil if the error was found in the driver's answer.
  public let errno: Errno?
  /// The details of the request, for example "1280×720 MJPG"; may be empty.
  public let subject: String

  /// The operations that can fail.
  public enum Operation: Hashable, Sendable {
    /// Opening the node.
    case open
    /// One `ioctl`.
    case control(Request)
    /// Mapping a buffer into memory.
    case map
    /// Waiting for the device.
    case poll
    /// Listening to the kernel's device events.
    case deviceEvents
    /// Reading a folder such as `/dev`.
    case readDirectory
  }

  init(_ reason: Reason, _ operation: Operation, path: String, errno: Errno? = nil, subject: String = "") {
    self.reason = reason
    self.operation = operation
    self.path = path
    self.errno = errno
    self.subject = subject
  }

  init(_ errno: Errno, _ operation: Operation, path: String, subject: String = "") {
    self.init(Reason(errno, operation), operation, path: path, errno: errno, subject: subject)
  }
}

extension VideoDeviceError.Reason {
  /// The meaning of `errno` from `operation` (Linux kernel documentation, the pages of each ioctl, and
  /// userspace-api/media/gen-errors).
  init(_ errno: Errno, _ operation: VideoDeviceError.Operation) {
    switch errno {
    case .noEntry: self = operation.isOpening ? .notFound : .system(errno)
    case .noDeviceOrAddress: self = operation == .open ? .notFound : .disconnected
    case .noDevice, .badDescriptor, .shutDown: self = .disconnected
    case .notPermitted, .accessDenied: self = operation.isOpening ? .permissionDenied : .refused
    case .busy: self = .busy
    case .inputOutput, .protocolError: self = .inputOutput
    case .notTTY: self = operation.isStreaming ? .disconnected : .unsupported
    case .notSupported: self = .unsupported
    case .invalidArgument: self = operation.meansUnsupportedWhenInvalid ? .unsupported : .refused
    case .outOfRange: self = .refused
    case .noSpace: self = operation == .control(.streamOn) ? .noBandwidth : .system(errno)
    case .outOfMemory: self = .outOfMemory
    case .tooManyFiles, .fileTableFull: self = .noDescriptors
    case .noLink: self = operation.isAboutSignal ? .noSignal : .notLinked
    case .noLock: self = .noSignal
    case .brokenPipe: self = operation == .control(.dequeueBuffer) ? .endOfStream : .system(errno)
    default: self = .system(errno)
    }
  }
}

extension VideoDeviceError.Operation {
  /// Whether the operation needs permission for a file or a socket, not for a device that is open already.
  fileprivate var isOpening: Bool {
    switch self {
    case .open, .readDirectory, .deviceEvents: true
    default: false
    }
  }

  fileprivate var isAboutSignal: Bool {
    switch self {
    case .control(.queryTimings), .control(.getTimings), .control(.setTimings), .control(.enumerateTimings):
      true
    default: false
    }
  }

  /// Whether the operation is only used on a device that reported streaming: `ENOTTY` from it means that the driver is gone.
  fileprivate var isStreaming: Bool {
    switch self {
    case .control(.queueBuffer), .control(.dequeueBuffer), .control(.streamOn), .control(.streamOff),
      .control(.requestBuffers), .control(.queryBuffer):
      true
    default: false
    }
  }

  fileprivate var meansUnsupportedWhenInvalid: Bool {
    switch self {
    case .control(.queryCapabilities), .control(.getFormat), .control(.setFormat), .control(.tryFormat),
      .control(.getParameters), .control(.setParameters), .control(.getSelection), .control(.setSelection),
      .control(.setInput), .control(.exportBuffer), .control(.subscribeEvent), .control(.queryControl):
      true
    default: false
    }
  }
}

import CVideo4Linux
import System

/// An open `/dev/videoN`.
///
/// Any thread may call it: the kernel serialises calls as needed, and the descriptor stays open until the last running call
/// returns. It is closed exactly once, by `close()` or with the last reference.
public final class VideoDevice: Sendable {
  /// The path of the node as it was opened.
  public let path: String
  /// The capabilities that the device reported when it was opened.
  public let capabilities: DeviceCapabilities
  let kernel: any Kernel
  private let file: Locked<OpenFile?>

  /// Opens the node without waiting and queries its capabilities.
  /// - Throws: `.notFound`, `.permissionDenied`, `.busy`, `.disconnected`; `.unsupported` if it is no V4L2 device.
  public init(path: String, kernel: any Kernel = LinuxKernel()) throws(VideoDeviceError) {
    let file = try VideoDevice.openFile(path, kernel: kernel)
    var raw = v4l2_capability()
    do throws(Errno) {
      try file.control(.queryCapabilities, &raw)
    } catch {
      throw VideoDeviceError(error, .control(.queryCapabilities), path: path)
    }
    self.path = path
    self.kernel = kernel
    self.capabilities = DeviceCapabilities(raw)
    self.file = Locked(file)
  }

  /// Closes the descriptor: at once, or when the last running call returns. Mapped buffers stay readable until
  /// they are unmapped. Every later call throws `.disconnected`. May be called again.
  public func close() {
    // Release the old value outside the lock, because its deinit makes a system call.
    let last = file.withLock { file in
      let last = file
      file = nil
      return last
    }
    _ = last
  }

  /// Whether the device was not closed.
  public var isOpen: Bool { file.withLock { $0 != nil } }

  /// The type of buffers that this node exchanges.
  /// - Throws: `.unsupported` if the node does not stream pictures.
  public func bufferType() throws(VideoDeviceError) -> BufferType {
    guard capabilities.canStream, let type = capabilities.bufferType else {
      throw VideoDeviceError(
        .unsupported, .control(.queryCapabilities), path: path, subject: "streaming pictures")
    }
    return type
  }

  private static func openFile(_ path: String, kernel: any Kernel) throws(VideoDeviceError) -> OpenFile {
    while true {
      do throws(Errno) {
        return OpenFile(try kernel.open(path), kernel: kernel)
      } catch {
        if error != .interrupted { throw VideoDeviceError(error, .open, path: path) }
      }
    }
  }
}

extension VideoDevice {
  /// The open file, which stays open as long as the reference is held.
  func openFile(for operation: VideoDeviceError.Operation) throws(VideoDeviceError) -> OpenFile {
    guard let file = file.withLock({ $0 }) else {
      throw VideoDeviceError(.disconnected, operation, path: path)
    }
    return file
  }

  /// Performs one ioctl, for which any failure is an error.
  func control<Argument>(
    _ request: Request, _ value: inout Argument, subject: @autoclosure () -> String = ""
  ) throws(VideoDeviceError) {
    if let errno = try outcome(of: request, &value) {
      throw VideoDeviceError(errno, .control(request), path: path, subject: subject())
    }
  }

  /// Performs one ioctl. A failure with one of the `expected` errors is not thrown.
  /// - Returns: whether it succeeded.
  func control<Argument>(
    _ request: Request, _ value: inout Argument, unless expected: Set<Errno>
  ) throws(VideoDeviceError) -> Bool {
    guard let errno = try outcome(of: request, &value) else { return true }
    guard expected.contains(errno) else { throw VideoDeviceError(errno, .control(request), path: path) }
    return false
  }

  /// Performs one ioctl and returns the error number, if it failed.
  /// - Throws: `.disconnected` if the device is closed.
  func outcome<Argument>(of request: Request, _ value: inout Argument) throws(VideoDeviceError) -> Errno? {
    let file = try openFile(for: .control(request))
    do throws(Errno) {
      try file.control(request, &value)
      return nil
    } catch {
      return error
    }
  }

  /// Lists an indexed enumeration: queries entry 0, 1, … until the driver has no more (`EINVAL`; `ENOTTY`
  /// from a driver without the ioctl, which has none), or until an entry is the last by V4L2's own rules
  /// (`isLast`). Stops at `limit` entries, and after sixteen repetitions of one entry, so that no driver
  /// causes an endless loop (a driver that ignores the index:
  /// https://github.com/PipeWire/pipewire/issues/56).
  func enumerate<Entry, Result>(
    _ request: Request, limit: Int, entry: (UInt32) -> Entry,
    isRepeat: (_ entry: Result, _ before: Result) -> Bool = { _, _ in false },
    isLast: (Result) -> Bool = { _ in false }, _ result: (Entry) -> Result
  ) throws(VideoDeviceError) -> [Result] {
    var results: [Result] = []
    var repeats = 0
    while results.count < limit, repeats < 16 {
      var raw = entry(UInt32(results.count))
      guard try control(request, &raw, unless: [.invalidArgument, .notTTY, .noData]) else { break }
      let next = result(raw)
      repeats = results.last.map { isRepeat(next, $0) } == true ? repeats + 1 : 0
      results.append(next)
      if isLast(next) { break }
    }
    return results
  }
}

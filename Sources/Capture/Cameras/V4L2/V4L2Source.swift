public import Imagery
public import Video4Linux

/// A camera behind a `/dev/video…` node.
public struct V4L2Source: CameraSource {
  /// A node such as `/dev/video0`, or a stable name of it under `/dev/v4l`.
  public var path: String
  public var request: V4L2Request
  public var specification: String
  package let kernel: any Kernel

  public init(path: String, request: V4L2Request = V4L2Request(), kernel: any Kernel = LinuxKernel()) {
    self.path = path
    self.request = request
    self.kernel = kernel
    specification = path
  }

  public func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    V4L2Camera(source: self, clock: clock)
  }
}

/// What a user asks of a V4L2 camera beyond its path; nil leaves the choice to the session.
public struct V4L2Request: Hashable, Sendable, CustomStringConvertible {
  /// As V4L2 calls it: of two formats that are one to the engine (`NV12`, `NM12`) this one.
  public var fourCC: FourCC?
  public var size: PixelSize?
  public var framesPerSecond: Int?
  public var mount = SensorMount()

  public init() {}

  public var description: String {
    let parts = [
      fourCC?.description, size?.description, framesPerSecond.map { "\($0) fps" },
    ].compactMap { $0 }
    return parts.isEmpty ? "a format that the engine can read" : parts.joined(separator: " ")
  }
}

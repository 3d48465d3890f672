public import Video4Linux

/// A camera that is connected to this machine, with its offer if it may be opened. ``CameraDiscovery`` reports cameras that come and go.
///
/// ```swift
/// for camera in try ConnectedCamera.list() { print(camera.path, camera.name) }
/// ```
public struct ConnectedCamera: Sendable {
  /// The path of the node, for example `/dev/video0`.
  public let path: String
  /// The name that the driver gives it.
  public let name: String
  /// Paths under `/dev/v4l` that stay the same when the number of the node changes.
  public let stablePaths: [String]
  /// The description of the camera, or the error from opening it.
  public let description: Result<CameraDescription, CameraError>

  /// Lists every capture device of this machine, in the order of node numbers. Nodes that deliver no pictures (metadata, codecs,
  /// outputs) are left out.
  /// - Throws: an error if `/dev` cannot be read.
  public static func list(kernel: any Kernel = LinuxKernel()) throws(CameraError) -> [ConnectedCamera] {
    let entries: [DeviceEntry]
    do throws(VideoDeviceError) { entries = try DeviceDirectory(kernel: kernel).list() } catch {
      throw CameraError(error, source: "/dev", wasOpen: false)
    }
    return entries.compactMap { ConnectedCamera($0, kernel) }
  }

  /// - Returns: nil for a node that delivers no pictures.
  init?(_ entry: DeviceEntry, _ kernel: any Kernel) {
    description = ConnectedCamera.describe(entry.path, kernel)
    if case .failure(let error) = description, error.code == .invalidSource { return nil }
    path = entry.path
    name = entry.name
    stablePaths = entry.stableNames.compactMap(\.link)
  }

  private static func describe(_ path: String, _ kernel: any Kernel) -> Result<CameraDescription, CameraError>
  {
    var source = V4L2Source(path: path, kernel: kernel)
    source.namesOthers = false
    let camera = V4L2Camera(source: source, clock: SystemClock())
    defer { camera.close() }
    return Result { () throws(CameraError) in try camera.open() }
  }
}

extension StableName {
  fileprivate var link: String? { if case .link(let path) = self { path } else { nil } }
}

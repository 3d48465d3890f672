import Imagery
public import Video4Linux

/// A camera that is plugged in here, and what it offers if it may be opened. ``CameraDiscovery`` tells of cameras that come and go.
///
/// ```swift
/// for camera in try ConnectedCamera.list() { print(camera.path, camera.name) }
/// ```
public struct ConnectedCamera: Sendable {
  /// For example `/dev/video0`.
  public let path: String
  /// What the driver calls it.
  public let name: String
  /// Paths under `/dev/v4l` that stay the same when its number changes.
  public let stablePaths: [String]
  /// What it offers, or why it may not be opened.
  public let description: Result<CameraDescription, CameraError>

  /// Every capture device of this machine, in the order of their numbers; nodes that give no pictures (metadata, codecs,
  /// outputs) are left out.
  /// - Throws: when `/dev` cannot be read.
  public static func list(kernel: any Kernel = LinuxKernel()) throws(CameraError) -> [ConnectedCamera] {
    let entries: [DeviceEntry]
    do throws(VideoDeviceError) { entries = try DeviceDirectory(kernel: kernel).list() } catch {
      throw CameraError(error, source: "/dev", wasOpen: false)
    }
    return entries.compactMap { ConnectedCamera($0, kernel) }
  }

  /// - Returns: nil for a node that gives no pictures.
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

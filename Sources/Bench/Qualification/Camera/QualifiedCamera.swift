import Capture
import Imagery
import Probes
import Video4Linux

/// The camera on trial: its place, the access to it, and the plan of what is tried.
struct QualifiedCamera: Sendable {
  /// The specification, as the user wrote it.
  let specification: String
  /// The kernel through which the camera is used: the real one, or one with an injected fault.
  let kernel: any Kernel
  let plan: CameraPlan
  /// The capabilities reported by `VIDIOC_QUERYCAP` at the start of the run, through the real kernel.
  let capabilities: DeviceCapabilities
  /// Finds the camera again after a replug. Nil if only the number of its node distinguishes the camera from others.
  let tracker: DeviceTracker?

  /// The current node, which changes when the camera is plugged in again. While the camera is away, a path that does not exist, so that another
  /// camera with its old number is not judged in its place.
  var path: String {
    guard var tracker else { return specification }
    return tracker.current() ?? "\(specification) (not plugged in)"
  }

  func open() throws(VideoDeviceError) -> VideoDevice { try VideoDevice(path: path, kernel: kernel) }

  /// Returns the camera in one mode, as the engine uses it.
  func source(in mode: CameraMode) -> V4L2Source {
    var request = V4L2Request()
    request.fourCC = mode.fourCC
    request.size = PixelSize(width: mode.size.width, height: mode.size.height)
    if let interval = mode.interval { request.framesPerSecond = interval.framesPerSecond }
    // The device's own pictures are judged, not its mounting in another device.
    (request.orientation, request.isFrontFacing) = (.upright, false)
    var source = V4L2Source(path: path, request: request, kernel: kernel)
    source.specification = specification
    return source
  }

  /// Returns a rig for the scenarios of the bench.
  func rig(in mode: CameraMode) -> Rig {
    var rig = Rig(specification: specification, viewfinder: "swiftwing")
    rig.camera = source(in: mode)
    return rig
  }
}

import Capture
import Harness
import Imagery
import Probes
import Video4Linux

/// The camera on trial: where it is, how it is reached, and what is tried on it.
struct QualifiedCamera: Sendable {
  /// As the user wrote it.
  let specification: String
  /// What speaks for it: the kernel, or one that lies.
  let kernel: any Kernel
  let plan: CameraPlan
  /// What `VIDIOC_QUERYCAP` said when the run began, of an honest kernel.
  let capabilities: DeviceCapabilities
  /// Finds it again after it was plugged in again; nil where nothing but its number tells it from others.
  let tracker: DeviceTracker?

  init(
    specification: String, kernel: any Kernel, plan: CameraPlan, capabilities: DeviceCapabilities,
    tracker: DeviceTracker?
  ) {
    self.specification = specification
    self.kernel = kernel
    self.plan = plan
    self.capabilities = capabilities
    self.tracker = tracker
  }

  /// The node it has now, for it may have been plugged in again; a path that leads nowhere while it is not there, lest another
  /// camera with its old number be judged in its stead.
  var path: String {
    guard var tracker else { return specification }
    return tracker.current() ?? "\(specification) (not plugged in)"
  }

  func open() throws(VideoDeviceError) -> VideoDevice { try VideoDevice(path: path, kernel: kernel) }

  /// The camera as the engine uses it, in one mode.
  func source(in mode: CameraMode) -> V4L2Source {
    var request = V4L2Request()
    request.fourCC = mode.fourCC
    request.size = PixelSize(width: mode.size.width, height: mode.size.height)
    if let interval = mode.interval { request.framesPerSecond = interval.framesPerSecond }
    // Judged is what the device delivers, not how it sits in another.
    (request.orientation, request.isFrontFacing) = (.upright, false)
    var source = V4L2Source(path: path, request: request, kernel: kernel)
    source.specification = specification
    return source
  }

  /// What the bench's own scenarios need to run on it.
  func rig(in mode: CameraMode) -> Rig {
    var rig = Rig(specification: specification, viewfinder: "swiftwing")
    rig.camera = source(in: mode)
    return rig
  }
}

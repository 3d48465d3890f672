import Capture
import Harness
import Imagery
import Scenarios
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
  let names: [StableName]

  init(
    specification: String, kernel: any Kernel, plan: CameraPlan, capabilities: DeviceCapabilities,
    names: [StableName]
  ) {
    self.specification = specification
    self.kernel = kernel
    self.plan = plan
    self.capabilities = capabilities
    self.names = names
  }

  /// The node it has now: that by its stable names, for it may have been plugged in again.
  var path: String {
    for name in names {
      if let entry = try? DeviceDirectory(kernel: kernel).find(name) { return entry.path }
    }
    return specification
  }

  func open() throws(VideoDeviceError) -> VideoDevice { try VideoDevice(path: path, kernel: kernel) }

  /// The camera as the engine uses it, in one mode.
  func source(in mode: CameraMode) -> V4L2Source {
    var request = V4L2Request()
    request.fourCC = mode.fourCC
    request.size = PixelSize(width: mode.size.width, height: mode.size.height)
    if let interval = mode.interval { request.framesPerSecond = Int(interval.framesPerSecond.rounded()) }
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

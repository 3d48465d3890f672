import Capture
import Imagery
import Video4Linux

/// A trial of one mode: it is set and streamed, and its frames are checked.
struct ModeTrial {
  let camera: QualifiedCamera
  let mode: CameraMode
  /// Number of frames that are timed.
  let frameCount: Int
  /// Number of frames at the end whose pictures are checked.
  var pictureCount = 2
  /// The time without a frame after which the device is considered to deliver none, in nanoseconds.
  let patience: Int64 = 5_000_000_000

  /// - Throws: `CancellationError`. Refusals of the device are in the proof.
  func run() throws -> ModeProof {
    var proof = ModeProof(mode: mode)
    do {
      try run(&proof)
    } catch let error as VideoDeviceError {
      proof.refusal = "\(error)"
    }
    return proof
  }

  private func run(_ proof: inout ModeProof) throws {
    var moment = camera.kernel.now()
    func lap() -> Double {
      defer { moment = camera.kernel.now() }
      return Double(camera.kernel.now() - moment) / 1e6
    }
    let path = camera.path
    moment = camera.kernel.now()
    let device = try VideoDevice(path: path, kernel: camera.kernel)
    defer { device.close() }
    proof.stages.open = lap()
    try set(device, &proof)
    proof.stages.format = lap()
    guard proof.given.map({ $0.fourCC == mode.fourCC && $0.size == mode.size }) == true else { return }
    let queue = try BufferQueue(device: device, count: ModeProof.bufferRequest)
    defer { try? queue.release() }
    proof.bufferCount = queue.buffers.count
    proof.stages.buffers = lap()
    guard proof.bufferCount >= ModeProof.fewestBuffers, let layout = layout(proof) else { return }
    guard queue.buffers.allSatisfy(layout.fits) else {
      proof.refusal = "its buffers are too small for the format"
      return
    }
    try queue.start()
    proof.stages.stream = lap()
    try ModeStream(trial: self, device: device, queue: queue, layout: layout, began: moment).run(&proof)
  }

  private func set(_ device: VideoDevice, _ proof: inout ModeProof) throws(VideoDeviceError) {
    proof.given = try device.setFormat(VideoFormat(fourCC: mode.fourCC, size: mode.size))
    if let interval = mode.interval { proof.givenInterval = try device.setFrameInterval(interval) }
  }

  private func layout(_ proof: ModeProof) -> V4L2Layout? {
    proof.given.flatMap { given in ImageFormat(given).flatMap { V4L2Layout(given, image: $0) } }
  }
}

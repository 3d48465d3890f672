import CVideo4Linux
import Imagery
import ScriptedKernel
import System
import Video4Linux

@testable import Capture

/// A clock for one thread. Waiting advances it and takes no real time.
final class SteppingClock: CaptureClock {
  private let time = Locked(MonotonicTime(nanoseconds: 100_000_000_000))

  func now() -> MonotonicTime { time.withLock { $0 } }
  func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }
  func wait(until deadline: MonotonicTime, wake: WakeSignal) -> Bool {
    if wake.drain() { return true }
    precondition(deadline != .distantFuture, "nothing would ever end this wait")
    time.withLock { $0 = max($0, deadline) }
    return false
  }
  func schedule(at time: MonotonicTime, _ action: @escaping @Sendable () async -> Void) -> Scheduled {
    Scheduled {}
  }
  func threadBegan() {}
  func threadEnded() {}
  func workBegan() {}
  func workEnded() {}
}

extension ScriptedKernel {
  /// Creates a kernel with one camera at `/dev/video0`, with a serial number, on `clock`.
  static func camera(
    _ modes: [ScriptedMode], clock: any CaptureClock, _ configure: (inout ScriptedDevice) -> Void = { _ in }
  ) -> ScriptedKernel {
    let kernel = ScriptedKernel {
      $0.node = "/dev/video0"
      $0.modes = modes
      configure(&$0)
    }
    let unused = WakeSignal.make()
    kernel.live(
      in: World(
        now: { clock.now().nanoseconds },
        wait: { until, wake in
          clock.wait(
            until: until.map { MonotonicTime(nanoseconds: $0) } ?? .distantFuture, wake: wake ?? unused)
        }))
    kernel.show(as: "video0")
    return kernel
  }

  /// Sets the contents of /dev and sysfs for the camera at `node`; nil if the camera is unplugged.
  func show(as node: String?) {
    let usb = "/sys/devices/usb1/1-1"
    folders["/dev"] = ["null"] + (node.map { [$0] } ?? [])
    guard let node else { return }
    links["/dev/\(node)"] = "/dev/\(node)"
    links["/sys/class/video4linux/\(node)/device"] = "\(usb)/1-1:1.0"
    files["/sys/class/video4linux/\(node)/index"] = "0\n"
    files["\(usb)/idVendor"] = "1234\n"
    files["\(usb)/idProduct"] = "abcd\n"
    files["\(usb)/serial"] = "0042\n"
  }
}

extension WakeSignal {
  /// Creates a signal, assuming that a descriptor is available.
  static func make() -> WakeSignal { try! WakeSignal() }
}

/// A camera that runs on the test's own thread.
final class CameraRig {
  let clock = SteppingClock()
  let kernel: ScriptedKernel
  let camera: V4L2Camera
  let wake = WakeSignal.make()

  init(
    _ modes: [ScriptedMode] = [ScriptedMode(.nv12, 64, 36)], request: V4L2Request = V4L2Request(),
    path: String = "/dev/video0", _ configure: (inout ScriptedDevice) -> Void = { _ in }
  ) {
    kernel = .camera(modes, clock: clock, configure)
    camera = V4L2Camera(
      source: V4L2Source(path: path, request: request, kernel: kernel), clock: clock)
  }

  /// Opens the camera, prepares its best format and starts it.
  @discardableResult func start() throws(CameraError) -> CameraFormat {
    let formats = try camera.open().formats
    let format = try camera.prepare(formats[0])
    try camera.start()
    return format
  }

  func next(within limit: Duration = .seconds(1)) throws(CameraError) -> CameraEvent {
    try camera.next(until: clock.now() + limit, wake: wake)
  }

  /// Lets the driver fill a buffer, and returns the camera's event for it.
  func event(
    _ describe: (inout v4l2_buffer, UnsafeMutablePointer<v4l2_plane>) -> Void = { _, _ in }
  ) throws(CameraError) -> CameraEvent {
    fill(describe)
    return try next()
  }

  /// Lets the driver fill a buffer.
  func fill(_ describe: (inout v4l2_buffer, UnsafeMutablePointer<v4l2_plane>) -> Void = { _, _ in }) {
    kernel.complete { raw, planes in
      raw.flags = UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
      raw.timestamp.tv_sec = 99
      raw.timestamp.tv_usec = 990_000
      describe(&raw, planes)
    }
  }

  func image(
    _ describe: (inout v4l2_buffer, UnsafeMutablePointer<v4l2_plane>) -> Void = { _, _ in }
  ) throws -> CapturedImage {
    guard case .frame(let image) = try event(describe) else { throw NoFrame() }
    return image
  }

  struct NoFrame: Error {}
}

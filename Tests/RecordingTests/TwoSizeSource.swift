import Capture
import Imagery
import System

/// A camera of grey pictures in two sizes, in virtual time. It can be unplugged, and return with only one size.
final class TwoSizeSource: CameraSource {
  struct Device: Sendable {
    var sizes = [PixelSize(width: 64, height: 48), PixelSize(width: 128, height: 96)]
    var isUnplugged = false
    /// The nanoseconds that are added to the time stamps of frames.
    var clockError: Int64 = 0
  }

  let device = Locked(Device())
  let interval = FrameInterval(framesPerSecond: 25)
  var specification: String { "two-sizes" }

  func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    TwoSizeCamera(self, clock)
  }

  func format(_ size: PixelSize) -> CameraFormat {
    let color = ColorDescription(matrix: .bt709, range: .limited)
    return CameraFormat(
      image: ImageFormat(pixelFormat: .nv12, size: size, color: color), frameInterval: interval)
  }
}

private final class TwoSizeCamera: Camera {
  private let source: TwoSizeSource
  private let clock: any CaptureClock
  private let pool = PixelBufferPool()
  private var format: CameraFormat
  private var (sequence, due): (UInt32, MonotonicTime?) = (0, nil)

  init(_ source: TwoSizeSource, _ clock: any CaptureClock) {
    (self.source, self.clock) = (source, clock)
    format = source.format(PixelSize(width: 64, height: 48))
  }

  func open() throws(CameraError) -> CameraDescription {
    let device = source.device.withLock { $0 }
    if device.isUnplugged { throw .disconnected(source.specification) }
    return CameraDescription(
      kind: CameraDescription.Kind(rawValue: "test"), name: "two sizes", driver: "test", bus: "",
      formats: device.sizes.map(source.format), mount: SensorMount())
  }

  func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat {
    self.format = format
    return format
  }

  func start() throws(CameraError) { due = clock.now() + source.interval.duration }
  func stop() {}
  func close() {}

  func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool {
    !clock.wait(until: clock.now() + .milliseconds(20), wake: wake)
  }

  func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
    guard let due else { return .ended }
    let device = source.device.withLock { $0 }
    if device.isUnplugged { throw .disconnected(source.specification) }
    if clock.wait(until: min(due, deadline), wake: wake) { return .woken }
    if due > deadline { return .timedOut }
    sequence += 1
    self.due = due + source.interval.duration
    let image: PixelBuffer
    do throws(ImageError) { image = try pool.makeBuffer(format.image) } catch { return .ended }
    for plane in image.planes {
      plane.base.initializeMemory(as: UInt8.self, repeating: 90, count: plane.byteCount)
    }
    return .frame(
      CapturedImage(
        image: image, sequence: sequence,
        exposureTime: due.advanced(by: .nanoseconds(device.clockError - source.interval.nanoseconds)),
        exposureEdge: .startOfExposure))
  }
}

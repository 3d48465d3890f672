import Capture
import Harness
import Imagery
import System
import Video4Linux

/// The minimum of calls that get a picture from a V4L2 device: open, format, rate, buffers, stream, the first buffer. A reference for an engine must
/// not use the engine.
struct PlainReader {
  let path: String
  let kernel: any Kernel
  let format: VideoFormat
  /// The frame interval. Nil for an input that has the rate of its signal.
  let interval: TimePerFrame?

  private static let limit = Duration.seconds(10)

  /// Returns the milliseconds from `open` to the first whole buffer.
  /// - Throws: `VideoDeviceError`; `Unsupported` if no buffer came in 10 s.
  func firstFrame() throws -> Double {
    let began = kernel.now()
    let device = try VideoDevice(path: path, kernel: kernel)
    defer { device.close() }
    _ = try device.setFormat(format)
    if let interval { _ = try device.setFrameInterval(interval) }
    let queue = try BufferQueue(device: device, count: 4)
    defer { try? queue.release() }
    try queue.start()
    while case let spent = Duration.nanoseconds(kernel.now() - began), spent < Self.limit {
      let ready = try device.wait(for: .buffer, timeout: Self.limit - spent)
      if ready.contains(.hangup) { break }
      guard let buffer = try queue.dequeue() else { continue }
      if !buffer.isDamaged, buffer.bytesUsed() > 0 { return Double(kernel.now() - began) / 1e6 }
      queue.giveBack(buffer.index)
    }
    throw Unsupported("\(path) delivered no frame in 10 s; try it with `swiftwing view`")
  }
}

extension PlainReader {
  /// Creates a reader for the format that the engine chooses on this device. It is determined before the clock starts.
  init(_ source: V4L2Source) throws {
    let camera = try source.makeCamera(clock: SystemClock())
    defer { camera.close() }
    guard let chosen = SessionConfiguration().chooseFormat(try camera.open().formats) else {
      throw Unsupported("\(source.specification) offers no format that can be read; name another source")
    }
    let format = try camera.prepare(chosen)
    camera.close()
    let device = try VideoDevice(path: source.path, kernel: source.kernel)
    defer { device.close() }
    self.init(
      path: source.path, kernel: source.kernel, format: try device.format(),
      interval: try device.currentTimings() == nil
        ? TimePerFrame(
          numerator: UInt32(clamping: format.frameInterval.numerator),
          denominator: UInt32(clamping: format.frameInterval.denominator)) : nil)
  }
}

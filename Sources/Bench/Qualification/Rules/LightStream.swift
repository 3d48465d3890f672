import Capture
import Imagery
import System
import Video4Linux

/// The camera streaming in its lightest mode, to see the effect of a control.
final class LightStream {
  let device: VideoDevice
  private let queue: BufferQueue
  private let layout: V4L2Layout
  private let kernel: any Kernel
  /// Number of requested buffers: few, because each may hold a picture from before a change.
  private static let bufferCount = 3

  init(camera: QualifiedCamera) throws {
    let mode = camera.plan.light
    kernel = camera.kernel
    device = try camera.open()
    let given = try device.setFormat(VideoFormat(fourCC: mode.fourCC, size: mode.size))
    if let interval = mode.interval { _ = try device.setFrameInterval(interval) }
    guard let image = ImageFormat(given), let layout = V4L2Layout(given, image: image) else {
      throw ControlPictureError(
        "the driver was asked for its least demanding mode, \(mode), and set \(given), "
          + "which the engine cannot read; update the kernel or report the driver")
    }
    self.layout = layout
    queue = try BufferQueue(device: device, count: Self.bufferCount)
    try queue.start()
  }

  /// Returns the facts of a picture that was captured after the call.
  func look() throws -> PictureFacts {
    // Buffers that were waiting, and the one being exposed, are skipped.
    var passed = 0
    let deadline = kernel.now() + 5_000_000_000
    while kernel.now() < deadline {
      try Task.checkCancellation()
      _ = try device.wait(for: .buffer, timeout: .milliseconds(200))
      guard let filled = try queue.dequeue() else { continue }
      defer { queue.giveBack(filled.index) }
      passed += 1
      guard passed > queue.buffers.count + 1, layout.damage(of: filled) == nil else { continue }
      return try PictureFacts(
        of: layout.picture(of: filled, in: queue.buffers[filled.index], pool: PixelBufferPool()))
    }
    throw ControlPictureError(
      "no picture came in 5 s in the camera's least demanding mode; plug it in again and repeat")
  }

  func end() {
    try? queue.release()
    device.close()
  }
}

struct ControlPictureError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// The properties of a picture that controls affect.
struct PictureFacts: Sendable {
  let map: PictureMap
  /// Mean distance of the chroma codes from grey, in levels. Nil without colour.
  let colourfulness: Double?

  init(map: PictureMap, colourfulness: Double?) {
    self.map = map
    self.colourfulness = colourfulness
  }

  init(of picture: PixelBuffer) throws(ImageError) {
    map = try PictureMap(of: picture)
    guard picture.format.pixelFormat != .grey else {
      colourfulness = nil
      return
    }
    let planar = try ImageConverter(pool: PixelBufferPool()).convert(picture, to: .i420, color: .jpeg)
    colourfulness = withExtendedLifetime(planar) {
      let width = (planar.format.size.width + 1) / 2
      var (sum, count) = (0, 0)
      for plane in planar.planes.dropFirst() {
        for row in stride(from: 0, to: plane.height, by: 2) {
          let line = UnsafeRawBufferPointer(start: plane.base + row * plane.bytesPerRow, count: width)
          for code in line { sum += abs(Int(code) - 128) }
          count += width
        }
      }
      return count == 0 ? nil : Double(sum) / Double(count)
    }
  }
}

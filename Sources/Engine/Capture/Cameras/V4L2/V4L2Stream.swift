import Glibc
import Imagery
import System
import Video4Linux

/// The buffers of one prepared device, filled by the driver and lent to the outputs without a copy.
final class V4L2Stream {
  /// Two buffers for the driver, `ringDepth` for the photo ring, and the rest for the pictures that the outputs draw or keep waiting.
  static let bufferCount = 4 + PhotoOutput.ringDepth + 2
  /// The number of buffers that always stay with the driver. If outputs hold more than the rest, they get copies.
  private static let driversOwn = 2

  private let queue: BufferQueue
  private let layout: V4L2Layout
  private let lender: V4L2Lender
  private let copies = PixelBufferPool()
  private var stamp: FrameStamp
  private let stepsBefore: Int
  private(set) var isRunning = false
  /// The planes of the last picture in each buffer. The next picture has the same planes, except for the length of a compressed one.
  private var knownPlanes: [[Plane]]

  /// Allocates and maps the buffers.
  /// - Parameters:
  ///   - count: the number of buffers; the driver may give more or fewer.
  ///   - interval: the time between two frames, if the device reports it.
  ///   - clockSteps: the clock steps of the previous streams.
  init(
    device: VideoDevice, count: Int, layout: V4L2Layout, interval: Duration?, clockSteps: Int
  ) throws(VideoDeviceError) {
    queue = try BufferQueue(device: device, count: count)
    lender = V4L2Lender(queue: queue)
    knownPlanes = Array(repeating: [], count: queue.buffers.count)
    self.layout = layout
    (stamp, stepsBefore) = (FrameStamp(interval: interval), clockSteps)
  }

  /// The number of times that the driver's clock has stepped, in this stream and the previous ones.
  var clockSteps: Int { stepsBefore + stamp.clockSteps }

  /// Whether the driver's buffers have room for the format that the driver agreed to.
  var fits: Bool { queue.buffers.allSatisfy(layout.fits) }

  /// Whether the outputs hold all buffers and the driver has none, which the device reports as an error.
  var isExhausted: Bool { queue.driversCount == 0 }

  func start(at now: MonotonicTime) throws(VideoDeviceError) {
    stamp.restart(at: now)
    try queue.start()
    isRunning = true
  }

  func stop() {
    isRunning = false
    // A device that is gone cannot be stopped; the queue counts as stopped all the same.
    try? queue.stop()
  }

  /// Releases the device even if outputs still hold pictures. As long as a mapping exists,
  /// it keeps the file open, and with the file the ownership of the buffers.
  func release() {
    isRunning = false
    // If the device is gone, or its driver cannot give up lent buffers, the buffers stay until the last loan is returned.
    try? queue.release()
  }

  /// The next filled buffer, good or damaged; nil if there is none yet.
  func take(arrival: MonotonicTime) throws(VideoDeviceError) -> CameraEvent? {
    guard let filled = try queue.dequeue() else { return nil }
    if let damage = layout.damage(of: filled) {
      queue.giveBack(filled.index)
      return .damagedFrame(sequence: stamp.sequence, reason: damage)
    }
    let image: PixelBuffer
    do throws(ImageError) {
      image = layout.isUnpacked ? try unpacked(filled) : lent(filled)
    } catch {
      return .damagedFrame(sequence: stamp.sequence, reason: "\(error)")
    }
    let sequence = stamp.advance(to: filled.sequence)
    let (exposure, edge) = stamp.exposure(of: filled, arrival: arrival)
    return .frame(
      CapturedImage(
        image: image, sequence: sequence, exposureTime: exposure, exposureEdge: edge,
        clockSteps: clockSteps))
  }

  /// Returns all filled buffers to the driver without reading them.
  func discard() throws(VideoDeviceError) {
    while let filled = try queue.dequeue() { queue.giveBack(filled.index) }
  }

  /// A converted picture; the buffer goes back to the driver.
  private func unpacked(_ filled: DequeuedBuffer) throws(ImageError) -> PixelBuffer {
    defer { queue.giveBack(filled.index) }
    return try layout.picture(of: filled, in: queue.buffers[filled.index], pool: copies)
  }

  private func lent(_ filled: DequeuedBuffer) -> PixelBuffer {
    layout.update(&knownPlanes[filled.index], to: filled, in: queue.buffers[filled.index])
    let lent = PixelBuffer(
      format: layout.image, planes: knownPlanes[filled.index], lender: lender, loan: filled.index,
      isInterlaced: layout.isInterlaced)
    // If there is no memory for a copy, lend the buffer itself.
    return queue.driversCount >= V4L2Stream.driversOwn ? lent : (try? copy(lent)) ?? lent
  }

  private func copy(_ picture: PixelBuffer) throws(ImageError) -> PixelBuffer {
    if picture.format.pixelFormat.isCompressed {
      return try copies.makeBuffer(picture.format, compressed: picture.planes[0].bytes)
    }
    let copy = try copies.makeBuffer(picture.format, isInterlaced: picture.isInterlaced)
    let widths = try picture.format.planeLayout().map(\.bytesPerRow)
    for (width, (from, to)) in zip(widths, zip(picture.planes, copy.planes)) {
      for row in 0..<to.height {
        memcpy(to.base + row * to.bytesPerRow, from.base + row * from.bytesPerRow, width)
      }
    }
    return copy
  }
}

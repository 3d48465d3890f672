import Glibc
import Imagery
import System
import Video4Linux

/// The buffers of one prepared device, filled by the driver and lent to the outputs without a copy.
final class V4L2Stream {
  /// Two the driver fills and hands over, two of the photo ring, and one that is drawn or waits at each of the outputs.
  static let bufferCount = 4 + PhotoOutput.ringDepth + 2
  /// The driver is never left with fewer: what slow outputs hold beyond that is a copy.
  private static let driversOwn = 2

  private let queue: BufferQueue
  private let layout: V4L2Layout
  private let lender: V4L2Lender
  private let copies = PixelBufferPool()
  private var stamp: FrameStamp
  private let stepsBefore: Int
  private(set) var isRunning = false
  /// Of the last picture in each buffer: the next has the same, but for the length of a compressed one.
  private var knownPlanes: [[Plane]]

  /// Allocates and maps the buffers.
  /// - Parameters:
  ///   - count: of the buffers; the driver may give more or fewer.
  ///   - interval: from one frame to the next, where the device tells.
  ///   - clockSteps: of the streams before.
  init(
    device: VideoDevice, count: Int, layout: V4L2Layout, interval: Duration?, clockSteps: Int
  ) throws(VideoDeviceError) {
    queue = try BufferQueue(device: device, count: count)
    lender = V4L2Lender(queue: queue)
    knownPlanes = Array(repeating: [], count: queue.buffers.count)
    self.layout = layout
    (stamp, stepsBefore) = (FrameStamp(interval: interval), clockSteps)
  }

  /// How often the driver's clock has stepped, in this stream and those before.
  var clockSteps: Int { stepsBefore + stamp.clockSteps }

  /// Whether the driver's buffers have room for the format it agreed to.
  var fits: Bool { queue.buffers.allSatisfy(layout.fits) }

  /// No buffer is with the driver: the outputs hold them all, and the device says so by an error.
  var isExhausted: Bool { queue.driversCount == 0 }

  func start(at now: MonotonicTime) throws(VideoDeviceError) {
    stamp.restart(at: now)
    try queue.start()
    isRunning = true
  }

  func stop() {
    isRunning = false
    // That a device which is gone cannot be stopped changes nothing: the queue counts as stopped.
    try? queue.stop()
  }

  /// The device is nobody's from now on, though outputs still hold pictures: a mapping keeps an open file, and with it the
  /// ownership of the buffers, until it is undone.
  func release() {
    isRunning = false
    // A device that is gone, or a driver that cannot part with lent buffers, keeps them until the last loan is back.
    try? queue.release()
  }

  /// The next filled buffer, good or bad; nil when there is none yet.
  func take(arrival: MonotonicTime) throws(VideoDeviceError) -> CameraEvent? {
    guard let filled = try queue.dequeue() else { return nil }
    if let damage = layout.damage(of: filled) {
      queue.giveBack(filled.index)
      return .damagedFrame(sequence: stamp.sequence, reason: damage)
    }
    let sequence = stamp.advance(to: filled.sequence)
    let (exposure, edge) = stamp.exposure(of: filled, arrival: arrival)
    return .frame(
      CapturedImage(
        image: picture(in: filled), sequence: sequence, exposureTime: exposure, exposureEdge: edge,
        clockSteps: clockSteps))
  }

  /// Gives back whatever is filled, unseen.
  func discard() throws(VideoDeviceError) {
    while let filled = try queue.dequeue() { queue.giveBack(filled.index) }
  }

  private func picture(in filled: DequeuedBuffer) -> PixelBuffer {
    layout.update(&knownPlanes[filled.index], to: filled, in: queue.buffers[filled.index])
    let lent = PixelBuffer(
      format: layout.image, planes: knownPlanes[filled.index], lender: lender, loan: filled.index,
      isInterlaced: layout.isInterlaced)
    // Without memory for a copy the loan itself must do.
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

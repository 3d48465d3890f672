import Capture
import Charts
import Glibc
import Imagery
import Probes
import System
import Video4Linux

/// Writes pictures that carry their number to the output node of a device, at the pace at which it takes them, and
/// remembers when each was handed over.
final class LoopWriter: Sendable {
  /// As many as the loop's own latency is measured with: what waits in the driver is part of the latency.
  static let bufferCount = 2

  private struct State {
    var isRunning = false
    var isEnding = false
    /// When each number was handed to the driver; the first number is 0.
    var written: [MonotonicTime] = []
    var failure: String?
  }

  let format: VideoFormat
  /// Where the number is in the picture: a sixth of its height, so that it can be read off a surface of a quarter.
  let chart: ChartRect
  /// Where it is drawn: `chart` alone, or six times, one below the other, so that a picture made of two frames shows it.
  private let charts: [ChartRect]
  private let device: VideoDevice
  private let queue: BufferQueue
  private let state = Locked(State())

  /// Sets the node to a format, allocates its buffers and fills them with grey.
  /// - Parameters:
  ///   - pixelFormat: NV12 or BGRA.
  ///   - isColumn: the number stands six times in each picture, from the top to the bottom.
  init(output: String, pixelFormat: PixelFormat = .nv12, isColumn: Bool = false) throws {
    let name = pixelFormat.rawValue
    device = try VideoDevice(path: output)
    let current = try device.format()
    format = try device.setFormat(VideoFormat(fourCC: FourCC(name)!, size: current.size))
    guard "\(format.fourCC)" == name, format.planes.count == 1 else {
      throw LaunchError(output, "it takes \(format), not \(name)", remedy: nil)
    }
    let side = format.size.height / 6 / TimeCode.side * TimeCode.side
    chart = ChartRect(x: side, y: side, width: side, height: side)
    charts = isColumn ? Self.column(chart) : [chart]
    queue = try BufferQueue(device: device, count: Self.bufferCount)
    for plane in queue.buffers.flatMap(\.planes) { memset(plane.base, 128, plane.length) }
  }

  var size: PixelSize { PixelSize(width: format.size.width, height: format.size.height) }
  var written: [MonotonicTime] { state.withLock { $0.written } }
  /// The driver takes pictures.
  var isRunning: Bool { state.withLock { $0.isRunning } }
  var failure: String? { state.withLock { $0.failure } }

  /// Writes until `end()`; to be called on a thread of its own.
  func run() {
    do {
      for index in queue.buffers.indices { try write(index) }
      try queue.start()
      state.withLock { $0.isRunning = true }
      while !state.withLock({ $0.isEnding }) {
        guard try device.wait(for: .buffer, timeout: .milliseconds(500)).contains(.buffer) else { continue }
        while let taken = try queue.dequeue() { try write(taken.index) }
      }
      try queue.release()
    } catch { state.withLock { $0.failure = "\(error)" } }
  }

  /// Starts the camera so long after this output, which runs on another thread, and waits until enough was seen, without looking often.
  /// It gives up after half a minute, and when nothing can be written any more.
  func feed(_ session: CaptureSession, apart: Duration, until isEnough: () -> Bool) async throws {
    let deadline = MonotonicTime.now() + .seconds(30)
    while !isRunning, failure == nil, MonotonicTime.now() < deadline {
      try await Task.sleep(for: .milliseconds(1))
    }
    try await Task.sleep(for: apart)
    try await session.start()
    while !isEnough(), failure == nil, MonotonicTime.now() < deadline {
      try await Task.sleep(for: .milliseconds(100))
    }
  }

  func end() { state.withLock { $0.isEnding = true } }

  /// The same number six times, `chart` being the second.
  static func column(_ chart: ChartRect) -> [ChartRect] {
    (0..<6).map { ChartRect(x: chart.x, y: $0 * chart.height, width: chart.width, height: chart.height) }
  }

  /// Few bytes are touched: only the code changes from picture to picture.
  private func write(_ index: Int) throws(VideoDeviceError) {
    let plane = queue.buffers[index].planes[0]
    let layout = format.planes[0]
    let number = state.withLock { UInt32($0.written.count) }
    // Of BGRA each of the three is written as the luma of NV12 is.
    let stride = "\(format.fourCC)" == PixelFormat.bgra.rawValue ? 4 : 1
    for component in 0..<min(stride, 3) {
      let codes = Plane(
        base: plane.base + component, bytesPerRow: layout.bytesPerLine, height: format.size.height)
      for chart in charts { TimeCode.draw(number, in: chart, luma: codes, pixelStride: stride) }
    }
    state.withLock { $0.written.append(.now()) }
    try queue.enqueue(index, bytesUsed: [layout.sizeImage])
  }
}

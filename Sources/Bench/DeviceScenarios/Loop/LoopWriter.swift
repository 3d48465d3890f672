import Capture
import Charts
import Glibc
import Imagery
import Probes
import System
import Video4Linux

/// Writes numbered pictures to the output node of a device, as fast as the device accepts them, and notes when each picture was queued.
final class LoopWriter: Sendable {
  /// Number of buffers: as many as for measuring the loop's own latency, since waiting in the driver is part of the latency.
  static let bufferCount = 2

  private struct State {
    var isRunning = false
    var isEnding = false
    /// The time at which each number was queued. The first number is 0.
    var written: [MonotonicTime] = []
    var failure: String?
  }

  let format: VideoFormat
  /// Place of the number in the picture. The side of the place is a sixth of the height, so that the number can be read on a surface of a
  /// quarter of the size.
  let chart: ChartRect
  /// The places where the number is drawn: only `chart`, or six places one below the other, so that a picture of two frames is noticed.
  private let charts: [ChartRect]
  private let device: VideoDevice
  private let queue: BufferQueue
  private let state = Locked(State())

  /// Sets the format of the node, allocates its buffers and fills them with grey.
  /// - Parameters:
  ///   - pixelFormat: NV12 or BGRA.
  ///   - isColumn: whether to draw the number six times in each picture, from top to bottom.
  init(output: String, pixelFormat: PixelFormat = .nv12, isColumn: Bool = false) throws {
    let name = pixelFormat.rawValue
    device = try VideoDevice(path: output)
    let current = try device.format()
    format = try device.setFormat(VideoFormat(fourCC: FourCC(name)!, size: current.size))
    guard "\(format.fourCC)" == name, format.planes.count == 1 else {
      throw LaunchError(
        output, "asked for \(name) in one plane, its driver set \(format) in \(format.planes.count)",
        remedy: "use the output of a loop whose driver accepts \(name) in one plane")
    }
    let side = format.size.height / 6 / TimeCode.side * TimeCode.side
    chart = ChartRect(x: side, y: side, width: side, height: side)
    charts = isColumn ? Self.column(chart) : [chart]
    queue = try BufferQueue(device: device, count: Self.bufferCount)
    for plane in queue.buffers.flatMap(\.planes) { memset(plane.base, 128, plane.length) }
  }

  var size: PixelSize { PixelSize(width: format.size.width, height: format.size.height) }
  var written: [MonotonicTime] { state.withLock { $0.written } }
  /// Whether the stream of the output has been started.
  var isRunning: Bool { state.withLock { $0.isRunning } }
  var failure: String? { state.withLock { $0.failure } }

  /// Writes until `end()`. Call it on a thread of its own.
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

  /// Waits until this writer, which runs on another thread, has started the output; starts the camera `apart` later; then waits until enough was
  /// seen, with infrequent checks. Gives up after half a minute, or if writing fails.
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

  /// Returns six places for the number; `chart` is the second.
  static func column(_ chart: ChartRect) -> [ChartRect] {
    (0..<6).map { ChartRect(x: chart.x, y: $0 * chart.height, width: chart.width, height: chart.height) }
  }

  /// Writes a picture. Only the code changes from picture to picture, so few bytes are written.
  private func write(_ index: Int) throws(VideoDeviceError) {
    let plane = queue.buffers[index].planes[0]
    let layout = format.planes[0]
    let number = state.withLock { UInt32($0.written.count) }
    // In BGRA, each of the three components is written like the luma of NV12.
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

import AllocationCount
import CVideo4Linux
import Foundation
import Imagery
import Log
import ScriptedKernel
import System
import Testing
import Video4Linux

@testable import Capture

/// Counts the allocations per frame of a running stream: one on the capture thread (the object that returns the buffer to the
/// driver), none on the preview's thread. Allocations of the scripted kernel and the virtual clock do not count.
@Suite(.enabled(if: allocation_count() >= 0, "a sanitizer has an allocator of its own"))
struct FrameAllocationTests {
  @Test(arguments: [PixelFormat.nv12, .yuyv, .uyvy, .mjpeg], [false, true])
  func aFrameTakesOneObject(format: PixelFormat, isOperated: Bool) async throws {
    try await Self.play(format, isOperated)
  }

  /// Tracing allocates nothing per event, because events wait in a preallocated ring. Runs in a separate process, because a trace
  /// covers a whole process.
  @Test func aTraceTakesNoMore() async {
    await #expect(processExitsWith: .success) {
      let path = "\(NSTemporaryDirectory())trace-\(UUID().uuidString).json"
      try LogSystem.begin(trace: path) { _ in }
      try await Self.play(.nv12, false)
      #expect(LogSystem.finish() == nil)
      let trace = try JSONDecoder().decode([Traced].self, from: Data(contentsOf: URL(filePath: path)))
      try FileManager.default.removeItem(atPath: path)
      func count(_ name: String, _ phase: String) -> Int {
        trace.filter { $0.name == name && $0.ph == phase }.count
      }
      #expect(count("delivered", "i") >= 50)
      #expect(count("dequeued", "i") == count("delivered", "i"))
      // Each dequeued buffer is queued again; the start of the stream queues some too.
      #expect(count("queued", "i") >= count("dequeued", "i"))
      #expect(count("VIDIOC_DQBUF", "X") >= count("dequeued", "i"))
      #expect(count("VIDIOC_STREAMON", "X") == 1)
      #expect(count("preview: presented", "b") >= 50)
      #expect(count("preview: presented", "e") == count("preview: presented", "b"))
      #expect(trace.contains { $0.cat == "session" && $0.name.hasPrefix("running") })
      #expect(trace.contains { $0.name == "thread_name" && $0.args?.name == "capture" })
    }
  }

  private struct Traced: Decodable {
    struct Facts: Decodable { var name: String? }
    let name, ph: String
    var cat: String?
    var args: Facts?
  }

  private static func play(_ format: PixelFormat, _ isOperated: Bool) async throws {
    let clock = VirtualClock()
    let kernel = ScriptedKernel.camera(
      [ScriptedMode(try #require(FourCC(format.rawValue)), 64, 36, [50])], clock: clock)
    let jpeg = try jpeg()
    kernel.fill(every: 20_000_000) { [kernel] raw, _ in
      guard format == .mjpeg else { return }
      raw.bytesused = UInt32(kernel.write(jpeg, toBuffer: raw.index))
    }
    let session = CaptureSession(
      source: V4L2Source(path: "/dev/video0", kernel: UncountedKernel(base: kernel)),
      clock: UncountedClock(base: clock))
    let (captured, surface) = (AllocationTally(), CountedSurface(clock: clock))
    await session.add(PreviewOutput(surface: surface, clock: UncountedClock(base: clock)))
    await session.add(CountingOutput(tally: captured))
    try await session.start()
    // The camera has no zoom, so the engine crops each frame in software.
    if isOperated { #expect(await session.set(.zoom, to: .number(1.5)).refusal == nil) }
    await clock.run(for: .seconds(2))
    await session.stop()
    let (onCapture, onPreview) = (captured.settled, surface.tally.settled)
    #expect(onCapture.count >= 50 && onPreview.count >= 50)
    #expect(onCapture.allSatisfy { $0 == 1 }, "\(format): \(onCapture)")
    #expect(onPreview.allSatisfy { $0 == 0 }, "\(format): \(onPreview)")
  }

  private static func jpeg() throws -> [UInt8] {
    let grey = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .i420, size: PixelSize(width: 64, height: 36), color: .jpeg))
    for plane in grey.planes {
      plane.base.initializeMemory(as: UInt8.self, repeating: 90, count: plane.byteCount)
    }
    return try PhotoPipeline().process(
      grey, orientation: .upright, settings: PhotoSettings(longSide: nil)
    ).bytes
  }
}

/// Counts one thread's allocations between successive calls of `note`.
final class AllocationTally: Sendable {
  private let state: Locked<(last: Int64?, counts: [Int64])>

  init() {
    var counts: [Int64] = []
    counts.reserveCapacity(1024)
    state = Locked((nil, counts))
  }

  func note() {
    let now = allocation_count()
    allocation_count_pause()
    defer { allocation_count_resume() }
    state.withLock { state in
      if let last = state.last { state.counts.append(now - last) }
      state.last = now
    }
  }

  /// The counts without those of the first 40 frames (0.8 s), in which buffers are still allocated.
  var settled: [Int64] { state.withLock { Array($0.counts.dropFirst(40)) } }
}

/// An output that is called on the capture thread.
private final class CountingOutput: FrameOutput {
  private let tally: AllocationTally
  init(tally: AllocationTally) { self.tally = tally }
  func receive(_ frame: Frame) { tally.note() }
}

/// A surface with two pictures that alternate, as in a window.
private final class CountedSurface: PreviewSurface {
  let tally = AllocationTally()
  private let clock: VirtualClock
  private let pictures: [PixelBuffer]
  private let turn = Locked(0)

  init(clock: VirtualClock) {
    self.clock = clock
    let format = ImageFormat(pixelFormat: .bgra, size: PixelSize(width: 64, height: 36), color: .jpeg)
    pictures = (0..<2).compactMap { _ in try? PixelBufferPool().makeBuffer(format) }
  }

  func makeBuffer() -> PixelBuffer? {
    turn.withLock { turn in
      turn = 1 - turn
      return pictures[turn]
    }
  }

  func present(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime {
    tally.note()
    return clock.now()
  }
}

/// A clock whose own allocations do not count.
private struct UncountedClock: CaptureClock {
  let base: VirtualClock

  private func uncounted<Result>(_ body: () -> Result) -> Result {
    allocation_count_pause()
    defer { allocation_count_resume() }
    return body()
  }

  func now() -> MonotonicTime { uncounted { base.now() } }
  func wait(until deadline: MonotonicTime, wake: WakeSignal) -> Bool {
    uncounted { base.wait(until: deadline, wake: wake) }
  }
  func schedule(at time: MonotonicTime, _ action: @escaping @Sendable () async -> Void) -> Scheduled {
    uncounted { base.schedule(at: time, action) }
  }
  func threadBegan() { uncounted { base.threadBegan() } }
  func threadEnded() { uncounted { base.threadEnded() } }
  func workBegan() { uncounted { base.workBegan() } }
  func workEnded() { uncounted { base.workEnded() } }
}

/// A kernel whose own allocations do not count.
private struct UncountedKernel: Kernel {
  let base: ScriptedKernel

  private func uncounted<Result>(_ body: () throws(Errno) -> Result) throws(Errno) -> Result {
    allocation_count_pause()
    defer { allocation_count_resume() }
    return try body()
  }

  func open(_ path: String) throws(Errno) -> Int32 {
    try uncounted { () throws(Errno) in try base.open(path) }
  }
  func close(_ descriptor: Int32) { base.close(descriptor) }
  func control(
    _ descriptor: Int32, _ request: Request, argument: UnsafeMutableRawPointer
  ) throws(Errno) {
    try uncounted { () throws(Errno) in try base.control(descriptor, request, argument: argument) }
  }
  func map(_ descriptor: Int32, length: Int, offset: Int64) throws(Errno) -> UnsafeMutableRawPointer {
    try uncounted { () throws(Errno) in try base.map(descriptor, length: length, offset: offset) }
  }
  func unmap(_ memory: UnsafeMutableRawPointer, length: Int) { base.unmap(memory, length: length) }
  func poll(
    _ descriptor: Int32, events: Int16, wake: WakeSignal?, timeout: Int64?
  ) throws(Errno) -> PollResult {
    try uncounted { () throws(Errno) in
      try base.poll(descriptor, events: events, wake: wake, timeout: timeout)
    }
  }
  func openDeviceEvents() throws(Errno) -> Int32 { try base.openDeviceEvents() }
  func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Datagram {
    try base.receive(descriptor, into: buffer)
  }
  func now() -> Int64 {
    allocation_count_pause()
    defer { allocation_count_resume() }
    return base.now()
  }
  func names(in folder: String, limit: Int) throws(Errno) -> [String] {
    try base.names(in: folder, limit: limit)
  }
  func contents(of path: String, limit: Int) throws(Errno) -> [UInt8] {
    try base.contents(of: path, limit: limit)
  }
  func resolve(_ path: String) throws(Errno) -> String { try base.resolve(path) }
}

import CVideo4Linux
import Glibc
import Log
import System

/// The buffers that a device and this program exchange: owns the mappings, knows the holder of each buffer, and never
/// gives the driver a buffer twice.
///
/// A buffer is *idle* (ours, unused), *with the driver*, or *on loan* to the caller that dequeued it. All calls but `deinit`
/// may come from any thread; each holds a short lock around a non-blocking ioctl, and none of `dequeue`, `enqueue`
/// and `giveBack` allocates. The mappings end with the queue, so keep the queue as long as any of its memory is read.
public final class BufferQueue: Sendable {
  /// The largest plausible length of a plane: 1 GiB.
  static let longestPlane = 1 << 30
  /// The largest number of buffers that this program requests (`VIDEO_MAX_FRAME`).
  public static let mostBuffers = 32

  /// The device that the buffers belong to.
  public let device: VideoDevice
  /// The type of the buffers.
  public let type: BufferType
  /// Every buffer, by index.
  public let buffers: [MappedBuffer]
  private let state: Locked<State>

  /// The holder of a buffer.
  public enum Holder: Hashable, Sendable {
    /// Nobody: the buffer can be queued.
    case idle
    /// The driver, which fills it.
    case driver
    /// The caller that dequeued the frame in it.
    case loan
  }

  /// The state that the lock guards.
  struct State: ~Copyable {
    var holders: [Holder]
    var isStreaming = false
    /// Whether `release()` was called: buffers on loan are unmapped as they come back.
    var isReleased = false
    /// The number of returned buffers that the driver refused; `dequeue` offers them again.
    var strays = 0
    var allocation: BufferAllocation
    let scratch: BufferScratch
  }

  /// Allocates and maps buffers (`VIDIOC_REQBUFS`, `QUERYBUF`, `mmap`); the driver may give more or fewer.
  /// On failure nothing is left allocated or mapped.
  /// - Parameter count: the number of buffers to request, clamped to 1...32.
  /// - Throws: `.busy` if another program has buffers, `.outOfMemory`, `.driverFault` if the driver's answers are invalid.
  public init(device: VideoDevice, count: Int) throws(VideoDeviceError) {
    let type = try device.bufferType()
    let wanted = min(max(count, 1), BufferQueue.mostBuffers)
    let given = try device.requestBuffers(wanted, type)
    do throws(VideoDeviceError) {
      guard given > 0 else {
        throw VideoDeviceError(
          VideoDeviceError.Reason.outOfMemory, .control(.requestBuffers), path: device.path,
          subject: "none of \(wanted) buffers was given")
      }
      guard given <= BufferQueue.mostBuffers else {
        throw device.fault(.requestBuffers, "\(given) buffers were given for \(wanted) requested")
      }
      let allocation = try device.mapBuffers(given, type)
      buffers = allocation.buffers
      state = Locked(
        State(
          holders: Array(repeating: .idle, count: given), allocation: allocation, scratch: BufferScratch()))
    } catch {
      // Return what the driver allocated. If this fails too, closing the device frees it.
      _ = try? device.requestBuffers(0, type)
      throw error
    }
    self.device = device
    self.type = type
  }

  /// Stops a queue that was not released, and frees its buffers, those on loan included.
  deinit {
    state.withLock { state in
      guard !state.isReleased else { return }
      halt(&state)
      for index in state.holders.indices { state.allocation.unmap(index) }
      // A failure here has no effect: closing the device frees the buffers.
      _ = try? device.requestBuffers(0, type)
    }
  }

  /// The present holder of each buffer.
  public var holders: [Holder] { state.withLock { $0.holders } }

  /// The number of buffers that the driver has. It is needed at each frame, so `holders` is not copied,
  /// and buffers are counted by index: iterators allocate in code that is not optimised.
  package var driversCount: Int {
    state.withLock { state in
      var count = 0
      for index in 0..<state.holders.count where state.holders[index] == .driver { count += 1 }
      return count
    }
  }

  /// The index of an idle buffer to fill (output), if any.
  public var idleIndex: Int? { state.withLock { $0.holders.firstIndex(of: .idle) } }
}

// MARK: Streaming

extension BufferQueue {
  /// Queues every idle buffer (capture only) and starts the stream (`VIDIOC_STREAMON`). Buffers still on loan join when
  /// they come back. Does nothing while streaming. On failure the stream is off and all buffers are idle or on loan.
  public func start() throws(VideoDeviceError) {
    try state.withLock { state throws(VideoDeviceError) in
      guard !state.isStreaming else { return }
      if state.isReleased { throw self.misuse(.streamOn, "the buffers were released") }
      do throws(VideoDeviceError) {
        if !self.type.isOutput {
          for index in state.holders.indices where state.holders[index] == .idle {
            try self.queue(index, &state)
          }
        }
        try self.command(.streamOn)
        state.isStreaming = true
        state.strays = 0
      } catch {
        self.halt(&state)
        throw error
      }
    }
  }

  /// Stops the stream (`VIDIOC_STREAMOFF`). Buffers of the driver become idle; loans stay with their holders.
  /// - Throws: `.disconnected` and the like; the queue counts as stopped even then.
  public func stop() throws(VideoDeviceError) {
    let trouble = state.withLock { state in self.halt(&state) }
    if let trouble { throw trouble }
  }

  /// Stops the stream, unmaps the buffers (those on loan when they come back) and frees the driver's buffers (`VIDIOC_REQBUFS` 0), so
  /// that the format may change. Every later `start` is refused. A second call does nothing.
  /// - Throws: `.busy` if the driver cannot free buffers on loan: close the device and open it again.
  public func release() throws(VideoDeviceError) {
    try state.withLock { state throws(VideoDeviceError) in
      guard !state.isReleased else { return }
      self.halt(&state)
      state.isReleased = true
      for index in state.holders.indices where state.holders[index] != .loan { state.allocation.unmap(index) }
      _ = try self.device.requestBuffers(0, self.type)
    }
  }

  @discardableResult
  private func halt(_ state: inout State) -> VideoDeviceError? {
    state.isStreaming = false
    state.strays = 0
    for index in state.holders.indices where state.holders[index] == .driver { state.holders[index] = .idle }
    do throws(VideoDeviceError) {
      try command(.streamOff)
      return nil
    } catch {
      return error
    }
  }

  private func command(_ request: Request) throws(VideoDeviceError) {
    var number = type.number
    try device.control(request, &number)
  }
}

// MARK: Exchanging buffers

extension BufferQueue {
  /// Takes a filled buffer (capture) or an emptied one (output) from the driver (`VIDIOC_DQBUF`); it is then on loan.
  ///
  /// First offers the driver again the buffers that it refused in `giveBack`. So call this after a wait that timed out, too.
  /// - Returns: nil if no buffer is ready yet (`EAGAIN`).
  /// - Throws: `.disconnected`, `.inputOutput`, `.endOfStream`; `.driverFault` for a buffer that the driver did not hold.
  public func dequeue() throws(VideoDeviceError) -> DequeuedBuffer? {
    try state.withLock { state throws(VideoDeviceError) in
      if state.strays > 0 { self.retryStrays(&state) }
      var raw = state.scratch.buffer(index: 0, self.type)
      switch try self.device.outcome(of: .dequeueBuffer, &raw) {
      case .some(.tryAgain): return nil
      case .some(let errno):
        throw VideoDeviceError(errno, .control(.dequeueBuffer), path: self.device.path)
      case nil: break
      }
      let index = Int(raw.index)
      guard state.holders.indices.contains(index), state.holders[index] == .driver else {
        throw self.device.fault(.dequeueBuffer, "buffer \(index) came back without being lent")
      }
      state.holders[index] = .loan
      Log.v4l2.event("dequeued", frame: raw.sequence, LogFact("buffer", index))
      let planes = self.type.isMultiplanar ? UnsafePointer(state.scratch.planes.baseAddress) : nil
      return DequeuedBuffer(raw, planes: planes, mapped: self.buffers[index].planes)
    }
  }

  /// Queues a filled output buffer (`VIDIOC_QBUF`), which was idle or on loan.
  /// - Parameters:
  ///   - bytesUsed: the number of picture bytes in each plane, within its length.
  ///   - timestamp: nanoseconds on `CLOCK_MONOTONIC`; used by drivers that copy timestamps.
  /// - Throws: `.misuse` if the driver holds the buffer or `bytesUsed` does not fit.
  public func enqueue(_ index: Int, bytesUsed: [Int], timestamp: Int64 = 0) throws(VideoDeviceError) {
    try state.withLock { state throws(VideoDeviceError) in
      guard type.isOutput, self.buffers.indices.contains(index), state.holders[index] != .driver else {
        throw self.misuse(.queueBuffer, "buffer \(index) does not exist or is with the driver already")
      }
      if state.isReleased { throw self.misuse(.queueBuffer, "the buffers were released") }
      let planes = self.buffers[index].planes
      guard bytesUsed.count == planes.count,
        zip(bytesUsed, planes).allSatisfy({ (0...$1.length).contains($0) })
      else { throw self.misuse(.queueBuffer, "\(bytesUsed) bytes do not fit buffer \(index)") }
      try self.queue(index, &state, bytesUsed: bytesUsed, timestamp: timestamp)
    }
  }

  /// Ends a loan. While streaming, a capture buffer goes straight back to the driver; otherwise it becomes idle. Never throws or blocks, so
  /// any thread may call it from a `deinit`. If the driver refuses the buffer, the next `dequeue` tries again. So a
  /// passing fault cannot exhaust the stream's buffers, and `dequeue` reports a lasting fault.
  public func giveBack(_ index: Int) {
    state.withLock { state in
      guard state.holders.indices.contains(index), state.holders[index] == .loan else { return }
      state.holders[index] = .idle
      if state.isReleased {
        state.allocation.unmap(index)
      } else if state.isStreaming, !type.isOutput {
        do throws(VideoDeviceError) { try queue(index, &state) } catch { state.strays += 1 }
      }
    }
  }

  private func retryStrays(_ state: inout State) {
    guard state.isStreaming, !type.isOutput else { return }
    state.strays = 0
    for index in state.holders.indices where state.holders[index] == .idle {
      do throws(VideoDeviceError) { try queue(index, &state) } catch { state.strays += 1 }
    }
  }

  private func queue(
    _ index: Int, _ state: inout State, bytesUsed: [Int] = [], timestamp: Int64 = 0
  ) throws(VideoDeviceError) {
    var raw = state.scratch.buffer(index: index, type)
    if type.isMultiplanar { raw.length = UInt32(buffers[index].planes.count) }
    if type.isOutput {
      raw.field = V4L2_FIELD_NONE.rawValue
      raw.timestamp.tv_sec = Int(timestamp / 1_000_000_000)
      raw.timestamp.tv_usec = Int(timestamp % 1_000_000_000 / 1000)
      for (plane, bytes) in bytesUsed.enumerated() {
        if type.isMultiplanar {
          state.scratch.planes[plane].bytesused = UInt32(bytes)
        } else {
          raw.bytesused = UInt32(bytes)
        }
      }
    }
    try device.control(.queueBuffer, &raw)
    state.holders[index] = .driver
    Log.v4l2.event("queued", .trace, LogFact("buffer", index))
  }
}

// MARK: Sharing

extension BufferQueue {
  /// Exports one plane as a DMA-BUF, to share it without a copy (`VIDIOC_EXPBUF`).
  /// - Throws: `.unsupported` if the driver cannot share.
  public func export(_ index: Int, plane: Int = 0) throws(VideoDeviceError) -> SharedBuffer {
    var raw = v4l2_exportbuffer()
    raw.type = type.number
    raw.index = UInt32(clamping: index)
    raw.plane = UInt32(clamping: plane)
    raw.flags = UInt32(O_CLOEXEC | O_RDWR)
    try device.control(.exportBuffer, &raw, subject: "buffer \(index)")
    guard raw.fd >= 0 else { throw device.fault(.exportBuffer, "the shared buffer has no descriptor") }
    return SharedBuffer(file: OpenFile(raw.fd, kernel: device.kernel))
  }

  private func misuse(_ request: Request, _ text: String) -> VideoDeviceError {
    VideoDeviceError(.misuse(text), .control(request), path: device.path)
  }
}

/// A buffer shared as a DMA-BUF; its descriptor is closed with the last reference.
public struct SharedBuffer: Sendable {
  let file: OpenFile

  /// The file descriptor, valid as long as this value is held.
  public var descriptor: Int32 { file.descriptor }
}

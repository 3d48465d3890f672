import CVideo4Linux
import ScriptedKernel
import Testing

@testable import Video4Linux

/// A buffer has at most eight planes (`VIDEO_MAX_PLANES`). Reading a plane that it lacks gives zero.
@Suite struct PlaneTests {
  @Test func aPlaneThatABufferLacksIsEmpty() {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
    defer { memory.deallocate() }
    var raw = v4l2_buffer()
    raw.bytesused = 9
    for count in [1, 8] {
      let mapped = Array(repeating: MappedPlane(base: memory, length: 16), count: count)
      let buffer = DequeuedBuffer(raw, planes: nil, mapped: mapped)
      #expect(buffer.bytesUsed(plane: count - 1) == 9)
      for plane in [-1, count, count + 1] {
        #expect(buffer.bytesUsed(plane: plane) == 0)
        #expect(buffer.dataOffset(plane: plane) == 0)
      }
    }
  }
}

@Suite struct BufferQueueTests {
  private func streaming(_ kernel: ScriptedKernel, count: Int = 3) throws -> BufferQueue {
    let queue = try BufferQueue(device: VideoDevice(path: "/dev/video0", kernel: kernel), count: count)
    try queue.start()
    return queue
  }

  @Test func goesThroughTheWholeLifeOfAFrame() throws {
    let kernel = ScriptedKernel()
    do {
      let queue = try streaming(kernel)
      #expect(kernel.held == [0, 1, 2])
      #expect(try queue.dequeue() == nil)
      kernel.complete { raw, _ in
        raw.bytesused = 60
        raw.sequence = 7
        raw.timestamp.tv_sec = 12
        raw.timestamp.tv_usec = 345_678
        raw.flags = UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC | V4L2_BUF_FLAG_TSTAMP_SRC_SOE)
        raw.field = V4L2_FIELD_NONE.rawValue
      }
      let buffer = try #require(try queue.dequeue())
      #expect(buffer.index == 0)
      #expect(buffer.bytesUsed() == 60)
      #expect(buffer.bytesUsed(plane: 1) == 0)
      #expect(buffer.sequence == 7)
      #expect(buffer.timestamp == 12_345_678_000)
      #expect(buffer.timestampClock == .monotonic)
      #expect(buffer.timestampEdge == .startOfExposure)
      #expect(buffer.field == .none)
      #expect(!buffer.isDamaged)
      #expect(queue.holders == [.loan, .driver, .driver])
      queue.giveBack(0)
      #expect(kernel.held == [1, 2, 0])
      try queue.stop()
      #expect(queue.holders == [.idle, .idle, .idle])
      try queue.release()
      #expect(kernel.allocated == 0)
      #expect(kernel.leaks.count == 1)  // the descriptor, still open
    }
    #expect(kernel.leaks.isEmpty)
  }

  @Test func mapsAndReadsEveryPlane() throws {
    let kernel = ScriptedKernel {
      $0.capabilities = V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING
      $0.planeLengths = [64, 32]
    }
    do {
      let queue = try streaming(kernel)
      #expect(queue.buffers.map { $0.planes.map(\.length) } == [[64, 32], [64, 32], [64, 32]])
      kernel.complete { _, planes in
        planes[0].bytesused = 50
        planes[0].data_offset = 8
        planes[1].bytesused = 99
      }
      let buffer = try #require(try queue.dequeue())
      #expect(buffer.dataOffset() == 8)
      #expect(buffer.bytesUsed() == 42)
      #expect(buffer.bytesUsed(plane: 1) == 32)
      #expect(buffer.isDamaged)
    }
    #expect(kernel.leaks.isEmpty)
  }

  @Test func aPictureThatBeginsAfterItsEndIsDamaged() throws {
    let kernel = ScriptedKernel {
      $0.capabilities = V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING
    }
    let queue = try streaming(kernel)
    kernel.complete { _, planes in (planes[0].bytesused, planes[0].data_offset) = (50, 60) }
    let buffer = try #require(try queue.dequeue())
    #expect(buffer.isDamaged && buffer.bytesUsed() == 0)
  }

  @Test func neverQueuesABufferTwice() throws {
    let kernel = ScriptedKernel()
    let queue = try streaming(kernel)
    kernel.complete()
    _ = try queue.dequeue()
    queue.giveBack(0)
    queue.giveBack(0)
    queue.giveBack(1)
    queue.giveBack(99)
    queue.giveBack(-1)
    try queue.start()
    #expect(kernel.held == [1, 2, 0])
    #expect(kernel.log.filter { $0 == "VIDIOC_QBUF" }.count == 4)
  }

  @Test func aLoanOutlivesStopAndJoinsTheNextStream() throws {
    let kernel = ScriptedKernel()
    let queue = try streaming(kernel)
    kernel.complete()
    _ = try queue.dequeue()
    try queue.stop()
    try queue.start()
    #expect(kernel.held == [1, 2])
    queue.giveBack(0)
    #expect(kernel.held == [1, 2, 0])
  }

  @Test func aLoanOutlivesReleaseAndCloseAndIsUnmappedOnce() throws {
    let kernel = ScriptedKernel()
    do {
      let queue = try streaming(kernel)
      kernel.complete()
      _ = try queue.dequeue()
      try queue.release()
      try queue.release()
      queue.device.close()
      #expect(kernel.leaks == ["1 mappings"])
      queue.buffers[0].planes[0].base.storeBytes(of: 1, as: UInt8.self)
      #expect(throws: VideoDeviceError.self) { try queue.start() }
      queue.giveBack(0)
      #expect(kernel.leaks.isEmpty)
    }
    #expect(kernel.leaks.isEmpty)
  }

  @Test func aQueueLetGoFreesItsBuffersForTheNext() throws {
    let kernel = ScriptedKernel()
    let device = try VideoDevice(path: "/dev/video0", kernel: kernel)
    _ = try {
      let queue = try BufferQueue(device: device, count: 3)
      try queue.start()
      kernel.complete()
      return try queue.dequeue()
    }()
    #expect(kernel.log.suffix(2) == ["VIDIOC_STREAMOFF", "VIDIOC_REQBUFS"])
    #expect(kernel.allocated == 0)
    device.close()
    #expect(kernel.leaks.isEmpty)
  }

  @Test func loansComeBackFromAnyThread() async throws {
    let kernel = ScriptedKernel()
    let queue = try streaming(kernel, count: 8)
    await withTaskGroup(of: Void.self) { group in
      for round in 0..<200 {
        if kernel.held.isEmpty { await group.next() }
        guard !kernel.held.isEmpty else { continue }
        kernel.complete()
        guard let buffer = try? queue.dequeue() else {
          Issue.record("no buffer in round \(round)")
          return
        }
        group.addTask { queue.giveBack(buffer.index) }
      }
    }
    #expect(kernel.held.sorted() == [0, 1, 2, 3, 4, 5, 6, 7])
    #expect(queue.holders.allSatisfy { $0 == .driver })
  }

  @Test func aPassingRefusalDoesNotStarveTheStream() throws {
    let kernel = ScriptedKernel()
    let queue = try streaming(kernel, count: 2)
    kernel.complete()
    _ = try queue.dequeue()
    kernel.fail("VIDIOC_QBUF", .invalidArgument)
    queue.giveBack(0)
    #expect(kernel.held == [1])
    #expect(try queue.dequeue() == nil)
    #expect(kernel.held == [1, 0])
  }

  @Test func aRefusalThatLastsIsTriedAgainAsLong() throws {
    let kernel = ScriptedKernel()
    let queue = try streaming(kernel, count: 2)
    kernel.complete()
    _ = try queue.dequeue()
    kernel.fail("VIDIOC_QBUF", .invalidArgument, .invalidArgument, .inputOutput)
    queue.giveBack(0)
    for _ in 0..<3 { #expect(try queue.dequeue() == nil) }
    #expect(kernel.held == [1, 0])
  }

  @Test(arguments: [Errno.invalidArgument, .noSpace, .outOfMemory, .noDevice, .inputOutput])
  func aFailedStartLeavesEverythingIdle(errno: Errno) throws {
    let kernel = ScriptedKernel()
    do {
      let queue = try BufferQueue(device: VideoDevice(path: "/dev/video0", kernel: kernel), count: 3)
      kernel.fail("VIDIOC_STREAMON", errno)
      #expect(throws: VideoDeviceError.self) { try queue.start() }
      #expect(queue.holders == [.idle, .idle, .idle])
      #expect(kernel.held.isEmpty)
      try queue.start()
      #expect(kernel.held == [0, 1, 2])
    }
    #expect(kernel.leaks.isEmpty)
  }

  @Test func damagedBuffersComeWithoutATime() throws {
    let kernel = ScriptedKernel()
    let queue = try streaming(kernel)
    kernel.complete { raw, _ in
      raw.flags = UInt32(V4L2_BUF_FLAG_ERROR)
      raw.bytesused = 0
    }
    kernel.complete { raw, _ in
      raw.bytesused = .max
      raw.timestamp.tv_sec = .max
      raw.sequence = .max
    }
    let damaged = try #require(try queue.dequeue())
    #expect(damaged.isDamaged && damaged.timestamp == nil && damaged.sequence == 0)
    let absurd = try #require(try queue.dequeue())
    #expect(absurd.isDamaged && absurd.timestamp == nil && absurd.bytesUsed() == 64)
  }

  @Test(arguments: [0, 7, UInt32.max])
  func aBufferTheDriverDidNotHoldIsItsFault(index: UInt32) throws {
    let kernel = ScriptedKernel()
    let queue = try streaming(kernel)
    kernel.complete()
    _ = try queue.dequeue()
    kernel.on(.dequeueBuffer, v4l2_buffer.self) {
      $0.index = index
      return nil
    }
    let error = #expect(throws: VideoDeviceError.self) { try queue.dequeue() }
    guard case .driverFault = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [0, 33, UInt32.max])
  func refusesAnAbsurdNumberOfBuffers(count: UInt32) throws {
    let kernel = ScriptedKernel()
    do {
      let device = try VideoDevice(path: "/dev/video0", kernel: kernel)
      kernel.on(.requestBuffers, v4l2_requestbuffers.self) {
        if $0.count > 0 { $0.count = count }
        return nil
      }
      #expect(throws: VideoDeviceError.self) { try BufferQueue(device: device, count: 4) }
      #expect(kernel.log.last == "VIDIOC_REQBUFS")
    }
    #expect(kernel.leaks.isEmpty)
  }

  @Test(arguments: [0, 1 << 31])
  func refusesAnAbsurdPlane(length: UInt32) throws {
    let kernel = ScriptedKernel { $0.planeLengths = [length] }
    do {
      let device = try VideoDevice(path: "/dev/video0", kernel: kernel)
      #expect(throws: VideoDeviceError.self) { try BufferQueue(device: device, count: 4) }
    }
    #expect(kernel.leaks.isEmpty)
  }

  /// Makes each call of a session fail in turn, with each error that a failing device can give, and checks that nothing leaks.
  @Test(
    arguments: [Errno.noDevice, .invalidArgument, .inputOutput, .notTTY, .outOfMemory, .busy], [false, true])
  func nothingLeaksWhicheverCallFails(errno: Errno, isMultiplanar: Bool) throws {
    for number in 0..<40 {
      let kernel = ScriptedKernel {
        guard isMultiplanar else { return }
        $0.capabilities = V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING
        $0.planeLengths = [64, 32]
      }
      kernel.failCall(number, with: errno)
      try? session(on: kernel)
      #expect(kernel.leaks.isEmpty, "call \(number), \(kernel.log.dropFirst(number).first ?? "none")")
    }
  }

  private func session(on kernel: ScriptedKernel) throws {
    let device = try VideoDevice(path: "/dev/video0", kernel: kernel)
    let queue = try BufferQueue(device: device, count: 3)
    _ = try queue.export(0)
    try queue.start()
    for _ in 0..<3 {
      kernel.complete()
      let buffer = try queue.dequeue()
      if let buffer { queue.giveBack(buffer.index) }
    }
    kernel.complete()
    _ = try queue.dequeue()
    try queue.stop()
    try queue.release()
    device.close()
  }

  @Test func aThousandStartsAndStopsLeaveNothing() throws {
    let kernel = ScriptedKernel()
    do {
      let queue = try streaming(kernel)
      for _ in 0..<1000 {
        kernel.complete()
        if let buffer = try queue.dequeue() { queue.giveBack(buffer.index) }
        try queue.stop()
        try queue.start()
      }
      #expect(kernel.held.count == 3)
    }
    #expect(kernel.leaks.isEmpty)
  }

  @Test func fillsOutputBuffers() throws {
    let kernel = ScriptedKernel { $0.capabilities = V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_STREAMING }
    let queue = try streaming(kernel)
    #expect(kernel.held.isEmpty)
    #expect(queue.idleIndex == 0)
    var sent: v4l2_buffer?
    kernel.on(.queueBuffer, v4l2_buffer.self) {
      sent = $0
      return nil
    }
    try queue.enqueue(0, bytesUsed: [48], timestamp: 1_500_000_000)
    #expect(sent?.bytesused == 48)
    #expect(sent?.timestamp.tv_sec == 1 && sent?.timestamp.tv_usec == 500_000)
    #expect(queue.idleIndex == 1)
    #expect(throws: VideoDeviceError.self) { try queue.enqueue(0, bytesUsed: [48]) }
    #expect(throws: VideoDeviceError.self) { try queue.enqueue(1, bytesUsed: [65]) }
    #expect(throws: VideoDeviceError.self) { try queue.enqueue(1, bytesUsed: [1, 1]) }
    #expect(throws: VideoDeviceError.self) { try queue.enqueue(9, bytesUsed: [1]) }
  }

  @Test func readsTheFrameCounter() {
    var tracker = SequenceTracker()
    let steps = [UInt32.max - 1, .max, 0, 0, 4, 2, 3].map { tracker.advance(to: $0) }
    #expect(steps == [.first, .next, .next, .repeated, .gap(lost: 3), .restarted, .next])
    tracker.reset()
    #expect(tracker.advance(to: 9) == .first)
  }
}

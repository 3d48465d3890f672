import CVideo4Linux
import Glibc
import System
import Video4Linux

/// A kernel with one fault, that of a `DeviceFault`, and otherwise the behaviour of the real one.
final class LyingKernel: Kernel, Sendable {
  private let base: any Kernel
  private let lie: any DriverLie
  private let clients = Locked<[Int32: DriverClient]>([:])

  init(base: any Kernel, lie: any DriverLie) {
    self.base = base
    self.lie = lie
  }

  func open(_ path: String) throws(Errno) -> Int32 {
    let descriptor = try base.open(path)
    clients.withLock { $0[descriptor] = DriverClient() }
    return descriptor
  }

  func close(_ descriptor: Int32) {
    clients.withLock { $0[descriptor] = nil }
    lie.forget(descriptor)
    base.close(descriptor)
  }

  func control(
    _ descriptor: Int32, _ request: Request, argument: UnsafeMutableRawPointer
  ) throws(Errno) {
    if try lie.intercept(call(descriptor, request, argument: argument)) { return }
    try base.control(descriptor, request, argument: argument)
    let now = base.now()
    clients.withLock { $0[descriptor]?.note(request, argument, now: now) }
    try lie.twist(call(descriptor, request, argument: argument))
  }

  private func call(_ descriptor: Int32, _ request: Request, argument: UnsafeMutableRawPointer)
    -> DriverCall
  {
    clients.withLock { clients in
      DriverCall(
        descriptor: descriptor, request: request, argument: argument,
        client: clients[descriptor] ?? DriverClient(),
        anotherHasBuffers: clients.contains { $0.key != descriptor && $0.value.bufferCount > 0 }, kernel: base
      )
    }
  }

  func map(_ descriptor: Int32, length: Int, offset: Int64) throws(Errno) -> UnsafeMutableRawPointer {
    let memory = try base.map(descriptor, length: length, offset: offset)
    let address = UInt(bitPattern: memory)
    clients.withLock {
      $0[descriptor]?.memory[offset] = DriverClient.Memory(address: address, length: length)
    }
    return memory
  }

  func unmap(_ memory: UnsafeMutableRawPointer, length: Int) { base.unmap(memory, length: length) }

  /// Polls the device. A buffer that the lie holds back is not announced before its time.
  func poll(
    _ descriptor: Int32, events: Int16, wake: WakeSignal?, timeout: Int64?
  ) throws(Errno) -> PollResult {
    let result = try base.poll(descriptor, events: events, wake: wake, timeout: timeout)
    let now = base.now()
    guard Int32(result.events) & POLLIN != 0, result.wake == 0,
      let client = clients.withLock({ $0[descriptor] }),
      let due = lie.due(descriptor, client, now: now), due > now
    else { return result }
    let others = events & ~Int16(POLLIN | POLLRDNORM)
    let left = min(due - now, timeout ?? .max)
    let held = try base.poll(descriptor, events: others, wake: wake, timeout: left)
    guard held.wake == 0, held.events == 0 else { return held }
    return left == due - now ? result : held
  }

  func openDeviceEvents() throws(Errno) -> Int32 { try base.openDeviceEvents() }
  func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Datagram {
    try base.receive(descriptor, into: buffer)
  }

  func now() -> Int64 { base.now() }
  func names(in folder: String, limit: Int) throws(Errno) -> [String] {
    try base.names(in: folder, limit: limit)
  }
  func contents(of path: String, limit: Int) throws(Errno) -> [UInt8] {
    try base.contents(of: path, limit: limit)
  }
  func resolve(_ path: String) throws(Errno) -> String { try base.resolve(path) }
}

/// The state of an open descriptor, from its requests and their answers.
struct DriverClient: Sendable {
  struct Memory: Sendable {
    let address: UInt
    let length: Int
  }

  var fourCC: UInt32 = 0
  var width: UInt32 = 0
  var height: UInt32 = 0
  var bytesPerLine: UInt32 = 0
  /// Frame interval, in nanoseconds.
  var interval: Int64 = 33_333_333
  var bufferCount = 0
  /// The offset of each buffer's mapping, by the buffer's index.
  var offsets: [UInt32: Int64] = [:]
  /// The mapped memory, by its offset.
  var memory: [Int64: Memory] = [:]
  /// Start of the stream, in nanoseconds. Nil while the device does not stream.
  var streamBegan: Int64?

  mutating func note(_ request: Request, _ argument: UnsafeMutableRawPointer, now: Int64) {
    switch request {
    case .setFormat: noteFormat(argument.load(as: v4l2_format.self))
    case .setParameters:
      let pace = argument.load(as: v4l2_streamparm.self).parm.capture.timeperframe
      if pace.denominator > 0 { interval = Int64(pace.numerator) * 1_000_000_000 / Int64(pace.denominator) }
    case .requestBuffers:
      bufferCount = Int(argument.load(as: v4l2_requestbuffers.self).count)
      offsets = [:]
      memory = [:]
    case .queryBuffer:
      let raw = argument.load(as: v4l2_buffer.self)
      offsets[raw.index] = raw.isMultiplanar ? Int64(raw.m.planes[0].m.mem_offset) : Int64(raw.m.offset)
    case .streamOn: streamBegan = now
    case .streamOff: streamBegan = nil
    default: break
    }
  }

  private mutating func noteFormat(_ raw: v4l2_format) {
    if raw.type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue {
      let pix = raw.fmt.pix_mp
      fourCC = pix.pixelformat
      width = pix.width
      height = pix.height
      bytesPerLine = pix.plane_fmt.0.bytesperline
    } else {
      let pix = raw.fmt.pix
      fourCC = pix.pixelformat
      width = pix.width
      height = pix.height
      bytesPerLine = pix.bytesperline
    }
  }

  func isIn(_ mode: CameraMode) -> Bool {
    fourCC == mode.fourCC.rawValue && Int(width) == mode.size.width && Int(height) == mode.size.height
  }
}

extension v4l2_buffer {
  var isMultiplanar: Bool { type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue }
}

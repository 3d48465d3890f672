import CVideo4Linux
import Video4Linux

/// The lie of a `LyingKernel`.
protocol DriverLie: Sendable {
  /// Called before the driver gets the request.
  /// - Returns: true if the lie answered in the driver's place.
  func intercept(_ call: DriverCall) throws(Errno) -> Bool
  /// Called after the driver answered.
  func twist(_ call: DriverCall) throws(Errno)
  /// Returns when a ready buffer may be announced, in nanoseconds. Nil for at once.
  func due(_ descriptor: Int32, _ client: DriverClient, now: Int64) -> Int64?
  /// Called when the descriptor was closed.
  func forget(_ descriptor: Int32)
}

extension DriverLie {
  func intercept(_ call: DriverCall) throws(Errno) -> Bool { false }
  func twist(_ call: DriverCall) throws(Errno) {}
  func due(_ descriptor: Int32, _ client: DriverClient, now: Int64) -> Int64? { nil }
  func forget(_ descriptor: Int32) {}
}

/// An ioctl on its way to the driver, or back.
struct DriverCall {
  let descriptor: Int32
  let request: Request
  let argument: UnsafeMutableRawPointer
  let client: DriverClient
  /// Whether another descriptor holds buffers of the same device.
  let anotherHasBuffers: Bool
  let kernel: any Kernel

  /// Returns the argument as the structure of the request.
  func structure<Structure>(_ type: Structure.Type) -> UnsafeMutablePointer<Structure> {
    argument.assumingMemoryBound(to: type)
  }

  /// Returns a dequeued buffer to the driver, as if it had never been filled.
  func discardBuffer() throws(Errno) -> Never {
    var again = structure(v4l2_buffer.self).pointee
    try kernel.control(descriptor, .queueBuffer, argument: &again)
    throw .tryAgain
  }

  /// The filled memory in the first plane of the buffer that the argument names.
  var picture: UnsafeMutableRawBufferPointer? {
    let raw = structure(v4l2_buffer.self)
    guard let offset = client.offsets[raw.pointee.index], let memory = client.memory[offset],
      let base = UnsafeMutableRawPointer(bitPattern: memory.address)
    else { return nil }
    return UnsafeMutableRawBufferPointer(start: base, count: min(bytesUsed, memory.length))
  }

  /// Bytes used in the first plane.
  var bytesUsed: Int {
    let raw = structure(v4l2_buffer.self).pointee
    return Int(raw.isMultiplanar ? raw.m.planes[0].bytesused : raw.bytesused)
  }

  func setBytesUsed(_ count: Int) {
    let raw = structure(v4l2_buffer.self)
    if raw.pointee.isMultiplanar {
      raw.pointee.m.planes[0].bytesused = UInt32(clamping: count)
    } else {
      raw.pointee.bytesused = UInt32(clamping: count)
    }
  }

  /// Adds a number of nanoseconds to the timestamp of the dequeued buffer.
  func moveStamp(by nanoseconds: Int64) {
    let raw = structure(v4l2_buffer.self)
    let stamp = Int64(raw.pointee.timestamp.tv_sec) * 1_000_000 + Int64(raw.pointee.timestamp.tv_usec)
    let moved = max(0, stamp + nanoseconds / 1000)
    raw.pointee.timestamp.tv_sec = Int(moved / 1_000_000)
    raw.pointee.timestamp.tv_usec = Int(moved % 1_000_000)
  }
}

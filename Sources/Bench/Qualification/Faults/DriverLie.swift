import CVideo4Linux
import Video4Linux

/// The one thing that a `LyingKernel` does not tell as it is.
protocol DriverLie: Sendable {
  /// Before the driver is asked.
  /// - Returns: true when the lie answered in its stead.
  func intercept(_ call: DriverCall) throws(Errno) -> Bool
  /// After the driver answered.
  func twist(_ call: DriverCall) throws(Errno)
  /// When the buffer that is ready may be seen, in nanoseconds; nil at once.
  func due(_ descriptor: Int32, _ client: DriverClient, now: Int64) -> Int64?
  /// The descriptor was closed.
  func forget(_ descriptor: Int32)
}

extension DriverLie {
  func intercept(_ call: DriverCall) throws(Errno) -> Bool { false }
  func twist(_ call: DriverCall) throws(Errno) {}
  func due(_ descriptor: Int32, _ client: DriverClient, now: Int64) -> Int64? { nil }
  func forget(_ descriptor: Int32) {}
}

/// One ioctl on its way to the driver, or back.
struct DriverCall {
  let descriptor: Int32
  let request: Request
  let argument: UnsafeMutableRawPointer
  let client: DriverClient
  /// Another descriptor holds buffers of the same device.
  let anotherHasBuffers: Bool
  let kernel: any Kernel

  /// The argument as the structure that the request takes.
  func structure<Structure>(_ type: Structure.Type) -> UnsafeMutablePointer<Structure> {
    argument.assumingMemoryBound(to: type)
  }

  /// Gives a buffer that was taken straight back to the driver, as if it had never been filled.
  func discardBuffer() throws(Errno) -> Never {
    var again = structure(v4l2_buffer.self).pointee
    try kernel.control(descriptor, .queueBuffer, argument: &again)
    throw .tryAgain
  }

  /// The memory of the first plane of the buffer that the argument names, as far as it is filled.
  var picture: UnsafeMutableRawBufferPointer? {
    let raw = structure(v4l2_buffer.self)
    guard let offset = client.offsets[raw.pointee.index], let memory = client.memory[offset],
      let base = UnsafeMutableRawPointer(bitPattern: memory.address)
    else { return nil }
    return UnsafeMutableRawBufferPointer(start: base, count: min(bytesUsed, memory.length))
  }

  /// Of the first plane.
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

  /// Moves the time stamp of the buffer that was taken by so many nanoseconds.
  func moveStamp(by nanoseconds: Int64) {
    let raw = structure(v4l2_buffer.self)
    let stamp = Int64(raw.pointee.timestamp.tv_sec) * 1_000_000 + Int64(raw.pointee.timestamp.tv_usec)
    let moved = max(0, stamp + nanoseconds / 1000)
    raw.pointee.timestamp.tv_sec = Int(moved / 1_000_000)
    raw.pointee.timestamp.tv_usec = Int(moved % 1_000_000)
  }
}

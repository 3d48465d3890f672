/// One plane of a driver's buffer, mapped into this process.
///
/// `@unchecked Sendable`: an address and a length, both constant. What they point to is guarded by the buffer's owner:
/// it is the driver's while queued and the borrower's while on loan (`BufferQueue`).
public struct MappedPlane: @unchecked Sendable {
  /// Where it is mapped.
  public let base: UnsafeMutableRawPointer
  /// In bytes, as the driver allocated it.
  public let length: Int
}

/// One of a queue's buffers. Its memory stays mapped as long as the `BufferQueue` lives, or until `release()`.
public struct MappedBuffer: Sendable {
  /// Which of the buffers.
  public let index: Int
  /// One to eight.
  public let planes: [MappedPlane]
}

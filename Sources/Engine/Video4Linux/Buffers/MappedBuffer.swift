/// One plane of a driver's buffer, mapped into this process.
///
/// `@unchecked Sendable`: holds an address and a length, both constant. The owner of the buffer guards the memory:
/// the driver's while queued, and the borrower's while on loan (`BufferQueue`).
public struct MappedPlane: @unchecked Sendable {
  /// The address of the mapping.
  public let base: UnsafeMutableRawPointer
  /// The length in bytes, as the driver allocated it.
  public let length: Int
}

/// One of a queue's buffers. Its memory stays mapped as long as the `BufferQueue` lives, or until `release()`.
public struct MappedBuffer: Sendable {
  /// The index of the buffer.
  public let index: Int
  /// One to eight planes.
  public let planes: [MappedPlane]
}

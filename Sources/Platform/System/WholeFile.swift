import Glibc

/// Reads and writes all bytes through a descriptor.
package enum WholeFile {
  /// Reads to the end.
  package static func read(
    _ descriptor: CInt, atMost limit: Int, expecting size: Int = 0
  ) throws(RegularFile.Trouble) -> [UInt8] {
    var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    bytes.reserveCapacity(size)
    while true {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .system(errno) }
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
      guard bytes.count <= limit else { throw .isTooLarge }
    }
  }

  /// - Returns: 0, or an `errno`.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> CInt {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      rest = rest.dropFirst(count)
    }
    return 0
  }
}

import Imagery
import System

/// The buffers of a camera, each with its own descriptor.
///
/// `@unchecked Sendable`: the memory is never read or written, and all mutable state is protected by a lock.
final class PlayedCamera: PixelBufferLender, @unchecked Sendable {
  private let pixelFormat: PixelFormat
  private let size: PixelSize
  private let isShared: Bool
  private let base: UnsafeMutableRawPointer
  private let seen = Locked<(returned: [Int], shares: Int)>(([], 0))

  init(
    pixelFormat: PixelFormat = .bgra, size: PixelSize = PixelSize(width: 64, height: 48),
    isShared: Bool = true
  ) {
    (self.pixelFormat, self.size, self.isShared) = (pixelFormat, size, isShared)
    base = .allocate(byteCount: 4 * size.width * size.height, alignment: 64)
  }

  deinit { base.deallocate() }

  /// The buffers that were returned, in order.
  var returned: [Int] { seen.withLock { $0.returned } }
  /// The number of requests for a descriptor of the memory.
  var shares: Int { seen.withLock { $0.shares } }

  func picture(_ buffer: Int) -> PixelBuffer {
    PixelBuffer(
      format: ImageFormat(
        pixelFormat: pixelFormat, size: size, color: ColorDescription(matrix: .bt709, range: .full)),
      planes: [Plane(base: base, bytesPerRow: 4 * size.width, height: size.height)], lender: self,
      loan: buffer)
  }

  func takeBack(_ index: Int) { seen.withLock { $0.returned.append(index) } }

  func share(_ index: Int, planes: [Plane]) -> [SharedPlane]? {
    seen.withLock { $0.shares += 1 }
    return isShared ? [SharedPlane(descriptor: Int32(index), offset: 128)] : nil
  }
}

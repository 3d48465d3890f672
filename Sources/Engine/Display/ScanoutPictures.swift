import Imagery
import System
import Video4Linux

/// The pictures of a display, lent to code that draws or holds them. Their memory stays mapped until the last one is released.
///
/// `@unchecked Sendable`: the mappings are made before anyone gets them and never change; a lock guards which pictures are held.
final class ScanoutPictures: PixelBufferLender, @unchecked Sendable {
  private let driver: any DisplayDriver
  private let buffers: [ScanoutBuffer]
  private let format: ImageFormat
  private let isHeld: Locked<[Bool]>

  static let count = 3

  init(driver: any DisplayDriver, size: PixelSize) throws(Errno) {
    var made: [ScanoutBuffer] = []
    do throws(Errno) {
      for _ in 0..<Self.count {
        let buffer = try driver.makeBuffer(width: size.width, height: size.height)
        made.append(buffer)
        guard buffer.bytesPerRow >= 4 * size.width, buffer.byteCount / size.height >= buffer.bytesPerRow
        else {
          throw .protocolError
        }
      }
    } catch {
      for buffer in made { driver.release(buffer) }
      throw error
    }
    self.driver = driver
    buffers = made
    format = ImageFormat(
      pixelFormat: .bgra, size: size, color: ColorDescription(matrix: .bt709, range: .full))
    isHeld = Locked(made.map { _ in false })
  }

  deinit { for buffer in buffers { driver.release(buffer) } }

  var first: ScanoutBuffer { buffers[0] }

  /// Lends a picture that nobody holds and that is not `shown`; nil if there is none.
  func lend(except shown: Int?) -> PixelBuffer? {
    let index = isHeld.withLock { isHeld -> Int? in
      guard let index = isHeld.indices.first(where: { $0 != shown && !isHeld[$0] }) else { return nil }
      isHeld[index] = true
      return index
    }
    guard let index else { return nil }
    let plane = Plane(
      base: buffers[index].base, bytesPerRow: buffers[index].bytesPerRow, height: format.size.height)
    return PixelBuffer(format: format, planes: [plane], lender: self, loan: index)
  }

  func takeBack(_ index: Int) { isHeld.withLock { $0[index] = false } }

  /// The index of the picture; nil for memory from elsewhere.
  func index(of image: PixelBuffer) -> Int? {
    buffers.firstIndex { $0.base == image.planes.first?.base }
  }

  func framebuffer(_ index: Int) -> UInt32 { buffers[index].framebuffer }
}

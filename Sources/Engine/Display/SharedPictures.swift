import Imagery
import System
import Video4Linux

/// Framebuffers of a camera's own memory, created once for each of its buffers. The camera's pictures must be BGRA in a DMA-BUF, of the mode's size.
final class SharedPictures: Sendable {
  private struct Known {
    var layout: ScanoutLayout
    var framebuffer: UInt32
  }

  private struct State {
    /// The framebuffers, keyed by the card's handle of the camera's buffer.
    var known: [UInt32: Known] = [:]
    /// The row length in bytes of memory that the card refused to show; nil if it refused none.
    var refused: Int?
  }

  /// The largest number of buffers. A driver has no more, so further buffers belong to a camera that was opened again.
  static let most = 32

  private let driver: any DisplayDriver
  private let size: PixelSize
  private let state = Locked(State())

  init(driver: any DisplayDriver, size: PixelSize) { (self.driver, self.size) = (driver, size) }

  deinit { forget(except: nil) }

  /// - Parameter shown: the framebuffer that the display shows now, which is kept.
  /// - Returns: nil if the picture must be drawn: another size or format, or memory that cannot be shared or that the card does not accept.
  func framebuffer(of image: PixelBuffer, shown: UInt32) -> UInt32? {
    let format = image.format
    guard format.pixelFormat == .bgra, format.size == size, let plane = image.planes.first,
      state.withLock({ $0.refused != plane.bytesPerRow }), let place = image.shared()?.first
    else { return nil }
    let layout = ScanoutLayout(
      width: size.width, height: size.height, bytesPerRow: plane.bytesPerRow, offset: place.offset)
    do throws(Errno) {
      let handle = try driver.handle(ofShared: place.descriptor)
      if let known = state.withLock({ $0.known[handle] }), known.layout == layout { return known.framebuffer }
      return try dress(handle, layout, shown: shown)
    } catch {
      refuse(image)
      return nil
    }
  }

  /// Notes that the card cannot show memory with the row length of `image`. Pictures with this row length are drawn from now on.
  func refuse(_ image: PixelBuffer) { state.withLock { $0.refused = image.planes.first?.bytesPerRow } }

  private func dress(_ handle: UInt32, _ layout: ScanoutLayout, shown: UInt32) throws(Errno) -> UInt32 {
    if state.withLock({ $0.known.count }) >= Self.most { forget(except: shown) }
    let framebuffer: UInt32
    do throws(Errno) { framebuffer = try driver.makeFramebuffer(of: handle, layout) } catch {
      if state.withLock({ $0.known[handle] == nil }) { driver.forget(handle) }
      throw error
    }
    let before = state.withLock {
      $0.known.updateValue(Known(layout: layout, framebuffer: framebuffer), forKey: handle)
    }
    if let before { driver.removeFramebuffer(before.framebuffer) }
    return framebuffer
  }

  /// Releases the camera's memory, except the shown picture.
  func forget(except shown: UInt32?) {
    let gone = state.withLock { state in
      let gone = state.known.filter { $0.value.framebuffer != shown }
      for handle in gone.keys { state.known[handle] = nil }
      return gone
    }
    for (handle, known) in gone {
      driver.removeFramebuffer(known.framebuffer)
      driver.forget(handle)
    }
  }
}

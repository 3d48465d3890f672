package import Capture
package import Imagery
import System

/// The last frames that a camera delivered, as copies: keeping the frames themselves would keep buffers from the driver.
package final class DeliveredFrames: Sendable {
  private struct Kept {
    var frames: [(sequence: UInt32, image: PixelBuffer)] = []
    /// Number of further frames that are kept without dropping any. Nil if the newest replace the oldest.
    var remaining: Int?
  }

  private let kept = Locked(Kept())
  private let limit: Int
  private let pool = PixelBufferPool()

  /// - Parameter limit: the number of frames that are kept.
  package init(limit: Int) { self.limit = limit }

  /// Returns the picture of a frame. Nil if it is not kept any more, or could not be copied.
  package func image(_ sequence: UInt32) -> PixelBuffer? {
    kept.withLock { kept in kept.frames.last { $0.sequence == sequence }?.image }
  }

  /// Keeps the present frames and the next `limit` frames. Later frames are not kept.
  package func hold() {
    kept.withLock { $0.remaining = limit }
  }

  /// Returns `source`, whose frames are then kept here.
  package func watching(_ source: any CameraSource) -> any CameraSource {
    WatchedSource(source) {
      WatchedSource.Watcher(event: { [self] event in
        if case .frame(let captured) = event { note(captured) }
        return event
      })
    }
  }

  private func note(_ captured: CapturedImage) {
    guard kept.withLock({ $0.remaining != 0 }), let copy = try? copy(captured.image) else { return }
    kept.withLock { kept in
      kept.frames.append((captured.sequence, copy))
      if let remaining = kept.remaining {
        kept.remaining = max(0, remaining - 1)
      } else if kept.frames.count > limit {
        kept.frames.removeFirst()
      }
    }
  }

  private func copy(_ image: PixelBuffer) throws(ImageError) -> PixelBuffer {
    if image.format.pixelFormat.isCompressed {
      return try pool.makeBuffer(image.format, compressed: image.planes[0].bytes)
    }
    let copy = try pool.makeBuffer(image.format)
    for (index, layout) in try image.format.planeLayout().enumerated() {
      let (from, to) = (image.planes[index], copy.planes[index])
      for row in 0..<layout.height {
        (to.base + row * to.bytesPerRow).copyMemory(
          from: from.base + row * from.bytesPerRow, byteCount: layout.bytesPerRow)
      }
    }
    return copy
  }
}

package import Capture
package import Charts
import Imagery
import System

/// Keeps the piece of every picture shown that has the number in it, to be read when all is over: the preview has no time
/// for reading, and where there is one processor the driver's own threads wait for the preview.
package final class CodeCrops: Sendable {
  private struct Crop {
    var frame: FrameFacts
    var renderTime: MonotonicTime
    var presentedTime: MonotonicTime
    var pixels: [UInt8]
  }

  private let crops = Locked<[Crop]>([])
  /// On the surface.
  private let rect: ChartRect

  /// - Parameter rect: where the code is on a BGRA surface.
  package init(rect: ChartRect) { self.rect = rect }

  package var count: Int { crops.withLock { $0.count } }

  package func note(_ picture: PresentedPicture) {
    guard rect.isInside(picture.image.format.size) else { return }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(rect.width * rect.height * 4)
    let plane = picture.image.planes[0]
    for row in rect.y..<rect.y + rect.height {
      let start = plane.base + row * plane.bytesPerRow + rect.x * 4
      pixels += UnsafeRawBufferPointer(start: start, count: rect.width * 4)
    }
    let crop = Crop(
      frame: picture.frame, renderTime: picture.renderTime, presentedTime: picture.presentedTime,
      pixels: pixels)
    crops.withLock { $0.append(crop) }
  }

  /// Everything shown, its numbers read.
  package func read() -> [Presentation] {
    crops.withLock { $0 }.map { crop in
      Presentation(
        frame: crop.frame, renderTime: crop.renderTime, presentedTime: crop.presentedTime,
        code: code(in: crop.pixels), seen: .upright)
    }
  }

  private func code(in pixels: [UInt8]) -> UInt32? {
    var pixels = pixels
    return pixels.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      let format = ImageFormat(
        pixelFormat: .bgra, size: PixelSize(width: rect.width, height: rect.height),
        color: ColorDescription(matrix: .bt709, range: .full))
      let plane = Plane(base: base, bytesPerRow: rect.width * 4, height: rect.height)
      let whole = ChartRect(x: 0, y: 0, width: rect.width, height: rect.height)
      return TimeCode.read(
        from: PixelBuffer(format: format, planes: [plane], lender: nil), corners: ChartCorners(whole))
    }
  }
}

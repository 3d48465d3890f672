package import Capture
package import Charts
import Imagery
import System

/// Keeps the part of every presented picture that shows the time code, and reads the codes afterwards: the preview has no time for
/// reading, and on a single processor the driver's own threads wait for the preview.
package final class CodeCrops: Sendable {
  private struct Crop {
    var frame: FrameFacts
    var renderTime: MonotonicTime
    var presentedTime: MonotonicTime
    var pixels: [UInt8]
  }

  private let crops = Locked<[Crop]>([])
  /// Place of the code on the surface.
  private let rect: ChartRect

  /// - Parameter rect: the place of the code on a BGRA surface.
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

  /// Returns all presented pictures with their numbers.
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

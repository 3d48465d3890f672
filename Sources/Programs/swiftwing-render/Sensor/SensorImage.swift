import CTurboJPEG
import Charts
import Imagery

/// A camera's picture before compression: planar 4:2:0, BT.601 full range. Both sides are even.
final class SensorImage {
  let size: PixelSize
  /// Luma, Cb, Cr.
  let planes: [Plane]

  init(_ size: PixelSize) {
    self.size = size
    planes = [1, 2, 2].map { divisor in
      let (width, height) = (size.width / divisor, size.height / divisor)
      return Plane(
        base: .allocate(byteCount: width * height, alignment: 64), bytesPerRow: width, height: height)
    }
  }

  deinit { for plane in planes { plane.base.deallocate() } }

  func pixels(_ channel: Int) -> UnsafeMutablePointer<UInt8> {
    planes[channel].base.assumingMemoryBound(to: UInt8.self)
  }

  /// The picture mirrored and rotated by `orientation`.
  func turned(_ orientation: Orientation) -> SensorImage {
    let result = SensorImage(orientation.applied(to: size))
    for channel in 0..<3 {
      let (source, target) = (planes[channel], result.planes[channel])
      let (from, to) = (pixels(channel), result.pixels(channel))
      let (width, height) = (source.bytesPerRow, source.height)
      for row in 0..<height {
        for column in 0..<width {
          let x = orientation.isMirrored ? width - 1 - column : column
          let (newX, newY): (Int, Int) =
            switch orientation.rotation {
            case .none: (x, row)
            case .clockwise90: (height - 1 - row, x)
            case .half: (width - 1 - x, height - 1 - row)
            case .clockwise270: (row, width - 1 - x)
            }
          to[newY * target.bytesPerRow + newX] = from[row * width + column]
        }
      }
    }
    return result
  }

  /// Fills a rectangle with grey, as the background of charts.
  func clear(_ rect: ChartRect, level: UInt8 = 128) {
    for (channel, divisor) in [1, 2, 2].enumerated() {
      let plane = planes[channel]
      let columns = (rect.x / divisor..<(rect.x + rect.width) / divisor).clamped(to: 0..<plane.bytesPerRow)
      for y in (rect.y / divisor..<(rect.y + rect.height) / divisor).clamped(to: 0..<plane.height) {
        for x in columns { pixels(channel)[y * plane.bytesPerRow + x] = channel == 0 ? level : 128 }
      }
    }
  }

  func drawTimeCode(_ value: UInt32, in rect: ChartRect) {
    clear(rect.grown(by: rect.width / 12))
    TimeCode.draw(value, in: rect, luma: planes[0], pixelStride: 1)
  }

  func drawFiducial(in rect: ChartRect, orientation: Orientation = .upright) {
    clear(rect.grown(by: rect.width / 12))
    Fiducial.draw(in: rect, orientation: orientation, luma: planes[0], pixelStride: 1)
  }
}

extension ChartRect {
  func grown(by margin: Int) -> ChartRect {
    ChartRect(x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
  }
}

/// An error of libjpeg-turbo.
struct CompressionFailed: Error, CustomStringConvertible {
  let reason: String
  var description: String { "Cannot compress a frame: \(reason); report this as a defect." }
}

/// Compresses frames with the accurate integer transform, whose result is the same in every build of libjpeg-turbo.
final class FrameCompressor {
  private let handle = tjInitCompress()

  deinit { if let handle { tjDestroy(handle) } }

  func jpeg(_ image: SensorImage, quality: Int) throws -> [UInt8] {
    var sources: [UnsafePointer<UInt8>?] = (0..<3).map { UnsafePointer(image.pixels($0)) }
    var strides = image.planes.map { Int32($0.bytesPerRow) }
    var buffer: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { tjFree(buffer) }
    let status = tjCompressFromYUVPlanes(
      handle, &sources, Int32(image.size.width), &strides, Int32(image.size.height),
      Int32(TJSAMP_420.rawValue),
      &buffer, &count, Int32(quality), TJFLAG_ACCURATEDCT)
    guard status == 0, let buffer else {
      throw CompressionFailed(reason: String(cString: tjGetErrorStr2(handle)))
    }
    return Array(UnsafeBufferPointer(start: buffer, count: Int(count)))
  }
}

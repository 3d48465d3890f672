import Imagery
import System

/// A picture in memory for chart tests, at first uniformly grey.
final class TestPicture: PixelBufferLender, @unchecked Sendable {
  // The memory is written by one test before it is shared, and freed when the last picture that uses it is released.
  let memory: UnsafeMutableRawPointer
  let format: ImageFormat
  let stride: Int

  init(_ size: PixelSize, _ pixelFormat: PixelFormat = .grey) {
    let pair = ImageFormat(pixelFormat: pixelFormat, size: PixelSize(width: 2, height: 1), color: .jpeg)
    stride = ((try? pair.planeLayout().first?.bytesPerRow) ?? 2) / 2
    format = ImageFormat(pixelFormat: pixelFormat, size: size, color: .jpeg)
    memory = .allocate(byteCount: max(size.area * stride, 1), alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 128, count: size.area * stride)
  }

  deinit { memory.deallocate() }
  func takeBack(_ index: Int) {}

  var plane: Plane {
    Plane(base: memory, bytesPerRow: format.size.width * stride, height: format.size.height)
  }
  var image: PixelBuffer { PixelBuffer(format: format, planes: [plane], lender: self) }

  subscript(x: Int, y: Int) -> UInt8 {
    get { memory.load(fromByteOffset: (y * format.size.width + x) * stride, as: UInt8.self) }
    set {
      memory.storeBytes(of: newValue, toByteOffset: (y * format.size.width + x) * stride, as: UInt8.self)
    }
  }

  /// Returns a grey picture with the value of `change` at each position, rounded and clamped.
  func mapped(_ size: PixelSize, _ change: (Int, Int) -> Double) -> TestPicture {
    let result = TestPicture(size)
    for y in 0..<size.height {
      for x in 0..<size.width { result[x, y] = UInt8(min(max(change(x, y).rounded(), 0), 255)) }
    }
    return result
  }

  /// Returns the picture mirrored and rotated by `orientation`.
  func oriented(_ orientation: Orientation) -> TestPicture {
    let size = orientation.applied(to: format.size)
    return mapped(size) { x, y in
      let (column, row): (Int, Int) =
        switch orientation.rotation {
        case .none: (x, y)
        case .clockwise90: (y, format.size.height - 1 - x)
        case .half: (format.size.width - 1 - x, format.size.height - 1 - y)
        case .clockwise270: (format.size.width - 1 - y, x)
        }
      return Double(self[orientation.isMirrored ? format.size.width - 1 - column : column, row])
    }
  }

  /// Returns the picture reduced to `size`: each new pixel is the exact mean of the area that it covers.
  func reduced(to size: PixelSize) -> TestPicture {
    let (sx, sy) = (
      Double(format.size.width) / Double(size.width), Double(format.size.height) / Double(size.height)
    )
    return mapped(size) { x, y in
      let (left, right) = (Double(x) * sx, Double(x + 1) * sx)
      let (top, bottom) = (Double(y) * sy, Double(y + 1) * sy)
      var sum = 0.0
      for row in Int(top)..<min(Int(bottom.rounded(.up)), format.size.height) {
        for column in Int(left)..<min(Int(right.rounded(.up)), format.size.width) {
          let width = min(right, Double(column + 1)) - max(left, Double(column))
          let height = min(bottom, Double(row + 1)) - max(top, Double(row))
          sum += width * height * Double(self[column, row])
        }
      }
      return sum / (sx * sy)
    }
  }

  /// Returns the picture with a random number from -`amplitude` to `amplitude` added to each pixel.
  func noisy(_ amplitude: Double, _ random: inout SplitMix64) -> TestPicture {
    mapped(format.size) { x, y in
      Double(self[x, y]) + Double.random(in: -amplitude...amplitude, using: &random)
    }
  }

  /// Returns the picture blurred `times` times by a 3 × 3 box filter.
  func blurred(times: Int) -> TestPicture {
    guard times > 0 else { return self }
    let size = format.size
    return mapped(size) { x, y in
      var sum = 0.0
      for row in -1...1 {
        for column in -1...1 {
          sum += Double(self[min(max(x + column, 0), size.width - 1), min(max(y + row, 0), size.height - 1)])
        }
      }
      return sum / 9
    }.blurred(times: times - 1)
  }
}

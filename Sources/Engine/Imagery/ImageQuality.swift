import Glibc

/// Full-reference picture quality on luma.
public enum ImageQuality {
  /// Mean structural similarity, −1...1 (Wang, Bovik, Sheikh, Simoncelli, "Image quality assessment", IEEE TIP 13(4), 2004),
  /// in uniform 8×8 windows four pixels apart, K1 = 0.01, K2 = 0.03, L = 255. Pictures smaller than a window are one window.
  /// - Returns: nil if the sizes differ.
  public static func ssim(_ left: LumaImage, _ right: LumaImage) -> Double? {
    guard left.size == right.size else { return nil }
    let side = (min(8, left.size.width), min(8, left.size.height))
    var total = 0.0
    var windows = 0.0
    for y in stride(from: 0, through: left.size.height - side.1, by: 4) {
      for x in stride(from: 0, through: left.size.width - side.0, by: 4) {
        total += window(left, right, x: x, y: y, side: side)
        windows += 1
      }
    }
    return total / windows
  }

  /// Peak signal-to-noise ratio in decibels, peak 255; infinite if the pictures are equal.
  /// - Returns: nil if the sizes differ.
  public static func psnr(_ left: LumaImage, _ right: LumaImage) -> Double? {
    guard left.size == right.size else { return nil }
    var squares = 0
    left.bytes.withUnsafeBufferPointer { a in
      right.bytes.withUnsafeBufferPointer { b in
        for index in 0..<a.count {
          let difference = Int(a[index]) &- Int(b[index])
          squares &+= difference &* difference
        }
      }
    }
    return 10 * log10(255 * 255 * Double(left.size.area) / Double(squares))
  }

  private static func window(
    _ left: LumaImage, _ right: LumaImage, x: Int, y: Int, side: (Int, Int)
  ) -> Double {
    var (sumA, sumB, squareA, squareB, product) = (0, 0, 0, 0, 0)
    left.bytes.withUnsafeBufferPointer { a in
      right.bytes.withUnsafeBufferPointer { b in
        for row in 0..<side.1 {
          let start = (y &+ row) &* left.size.width &+ x
          for index in start..<(start &+ side.0) {
            let (p, q) = (Int(a[index]), Int(b[index]))
            sumA &+= p
            sumB &+= q
            squareA &+= p &* p
            squareB &+= q &* q
            product &+= p &* q
          }
        }
      }
    }
    let count = Double(side.0 * side.1)
    let (meanA, meanB) = (Double(sumA) / count, Double(sumB) / count)
    let varianceA = Double(squareA) / count - meanA * meanA
    let varianceB = Double(squareB) / count - meanB * meanB
    let covariance = Double(product) / count - meanA * meanB
    let (c1, c2) = (6.5025, 58.5225)  // (0.01 · 255)², (0.03 · 255)²
    return (2 * meanA * meanB + c1) * (2 * covariance + c2)
      / ((meanA * meanA + meanB * meanB + c1) * (varianceA + varianceB + c2))
  }
}

/// The luma codes of a picture, 8 bits each, row after row without padding.
public struct LumaImage: Sendable, Equatable {
  /// The size in pixels.
  public let size: PixelSize
  /// One byte per pixel: 0 is black, 255 white.
  public let bytes: [UInt8]

  /// - Parameter bytes: exactly `size.area` bytes.
  public init(size: PixelSize, bytes: [UInt8]) {
    precondition(bytes.count == size.area, "a luma picture has one byte a pixel")
    self.size = size
    self.bytes = bytes
  }

  init(_ image: PlanarImage) {
    let plane = image.planes[0]
    let width = image.size.width
    size = image.size
    bytes = [UInt8](unsafeUninitializedCapacity: image.size.area) { buffer, count in
      for row in 0..<image.size.height {
        memcpy(buffer.baseAddress! + row * width, plane.row(row), width)
      }
      count = image.size.area
    }
  }
}

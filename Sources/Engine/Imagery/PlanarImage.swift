import Glibc

/// The number of luma samples for each chroma sample, horizontally and vertically. Monochrome pictures have no chroma.
struct ChromaSampling: Hashable, Sendable {
  var horizontal: Int
  var vertical: Int
  var isMonochrome = false

  static let s444 = ChromaSampling(horizontal: 1, vertical: 1)
  static let s422 = ChromaSampling(horizontal: 2, vertical: 1)
  static let s420 = ChromaSampling(horizontal: 2, vertical: 2)
  static let s440 = ChromaSampling(horizontal: 1, vertical: 2)
  static let s411 = ChromaSampling(horizontal: 4, vertical: 1)
  static let monochrome = ChromaSampling(horizontal: 1, vertical: 1, isMonochrome: true)

  var transposed: ChromaSampling {
    ChromaSampling(horizontal: vertical, vertical: horizontal, isMonochrome: isMonochrome)
  }

  /// The size of a chroma plane; odd sizes are rounded up.
  func chromaSize(_ size: PixelSize) -> PixelSize {
    PixelSize(
      width: (size.width + horizontal - 1) / horizontal, height: (size.height + vertical - 1) / vertical)
  }
}

/// A view of 8-bit Y′CbCr planes (one plane if monochrome, otherwise luma, Cb, Cr). Its maker keeps the memory alive.
struct PlanarImage {
  var size: PixelSize
  var sampling: ChromaSampling
  var color: ColorDescription
  var planes: Planes

  /// The size of plane `index` in samples.
  func planeSize(_ index: Int) -> PixelSize { index == 0 ? size : sampling.chromaSize(size) }
}

extension PlanarImage {
  /// The number of bytes of a plane with rows padded to 64 bytes and an even number of rows.
  fileprivate func room(for index: Int) -> Int {
    let size = planeSize(index)
    return size.width.aligned(to: 64) * size.height.aligned(to: 2)
  }
}

/// Memory that one stage of a pipeline reuses from picture to picture; it grows as needed and never shrinks.
final class Scratch {
  private var base: UnsafeMutableRawPointer?
  private var capacity = 0

  deinit { free(base) }

  /// Provides at least `count` bytes, 64-byte aligned. The previous reservation becomes invalid.
  func reserve(_ count: Int) throws(ImageError) -> UnsafeMutableRawPointer {
    if let base, capacity >= count { return base }
    free(base)
    base = nil
    capacity = 0
    let fresh = try allocateAligned(count)
    base = fresh
    capacity = count
    return fresh
  }

  /// Provides planes for a picture, rows padded to 64 bytes, with the spare rows and columns that JPEG codecs need for odd sizes.
  func planar(
    _ size: PixelSize, _ sampling: ChromaSampling, color: ColorDescription
  ) throws(ImageError) -> PlanarImage {
    var image = PlanarImage(size: size, sampling: sampling, color: color, planes: Planes())
    let count = sampling.isMonochrome ? 1 : 3
    var total = 0
    for index in 0..<count { total += image.room(for: index) }
    var next = try reserve(total)
    for index in 0..<count {
      let size = image.planeSize(index)
      image.planes.append(Plane(base: next, bytesPerRow: size.width.aligned(to: 64), height: size.height))
      next += image.room(for: index)
    }
    return image
  }
}

extension Plane {
  var pointer: UnsafeMutablePointer<UInt8> { base.assumingMemoryBound(to: UInt8.self) }
  var stride: Int32 { Int32(bytesPerRow) }

  /// Row `index` as bytes.
  func row(_ index: Int) -> UnsafeMutablePointer<UInt8> { pointer + index * bytesPerRow }

  /// The part of the plane that starts at row `row` and at byte `byte` of each row.
  func from(row: Int, byte: Int) -> Plane {
    Plane(base: base + row * bytesPerRow + byte, bytesPerRow: bytesPerRow, height: height - row)
  }
}

import Glibc

/// How many luma samples share one chroma sample, across and down. Monochrome pictures have no chroma.
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

  /// The size of a chroma plane; odd sizes round up.
  func chromaSize(_ size: PixelSize) -> PixelSize {
    PixelSize(
      width: (size.width + horizontal - 1) / horizontal, height: (size.height + vertical - 1) / vertical)
  }
}

/// A view of 8-bit Y′CbCr planes (one plane when monochrome, else luma, Cb, Cr). Whoever made it keeps the memory alive.
struct PlanarImage {
  var size: PixelSize
  var sampling: ChromaSampling
  var color: ColorDescription
  var planes: [Plane]

  /// Width and height in samples of plane `index`.
  func planeSize(_ index: Int) -> PixelSize { index == 0 ? size : sampling.chromaSize(size) }
}

/// Memory that one stage of a pipeline reuses from picture to picture; grows when it must, never shrinks.
final class Scratch {
  private var base: UnsafeMutableRawPointer?
  private var capacity = 0

  deinit { free(base) }

  /// At least `count` bytes, 64-byte aligned. The previous reservation is gone.
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

  /// Planes for a picture, rows padded to 64 bytes, with the spare rows and columns JPEG codecs want for odd sizes.
  func planar(
    _ size: PixelSize, _ sampling: ChromaSampling, _ color: ColorDescription
  ) throws(ImageError) -> PlanarImage {
    var image = PlanarImage(size: size, sampling: sampling, color: color, planes: [])
    let sizes = (0..<(sampling.isMonochrome ? 1 : 3)).map { image.planeSize($0) }
    let rows = sizes.map { ($0.width.aligned(to: 64), $0.height.aligned(to: 2)) }
    var next = try reserve(rows.reduce(0) { $0 + $1.0 * $1.1 })
    for (row, size) in zip(rows, sizes) {
      image.planes.append(Plane(base: next, bytesPerRow: row.0, height: size.height))
      next += row.0 * row.1
    }
    return image
  }
}

extension Plane {
  var pointer: UnsafeMutablePointer<UInt8> { base.assumingMemoryBound(to: UInt8.self) }
  var stride: Int32 { Int32(bytesPerRow) }

  /// Row `index` as bytes.
  func row(_ index: Int) -> UnsafeMutablePointer<UInt8> { pointer + index * bytesPerRow }

  /// The plane from row `row` and byte `byte` of each row on.
  func from(row: Int, byte: Int) -> Plane {
    Plane(base: base + row * bytesPerRow + byte, bytesPerRow: bytesPerRow, height: height - row)
  }
}

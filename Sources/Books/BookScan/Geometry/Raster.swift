import CYUV
import Glibc
import Imagery

/// The pixels of an upright photo: blue, green, red, alpha. They are not written after the raster was made.
///
/// `@unchecked Sendable`: only the functions here that make a raster write to `base`, before they return the raster. `deinit`
/// frees `base`.
final class Raster: @unchecked Sendable {
  let width: Int
  let height: Int
  let bytesPerRow: Int
  let base: UnsafeMutablePointer<UInt8>

  private init(width: Int, height: Int) throws(ScanError) {
    self.width = width
    self.height = height
    bytesPerRow = width * 4
    // 64 spare bytes, because SIMD kernels may read past the end.
    guard let memory = malloc(bytesPerRow * height + 64) else {
      throw .image(.outOfMemory(bytes: bytesPerRow * height))
    }
    base = memory.assumingMemoryBound(to: UInt8.self)
  }

  deinit { free(base) }

  /// The largest area of an uncompressed photo that is scanned, pixels; it takes 400 MB of memory.
  static let areaLimit = 100_000_000

  /// Returns the photo turned upright. A JPEG picture beyond `ImageLimits.decodedArea` is decoded at a smaller size.
  static func upright(_ image: PixelBuffer, _ orientation: Orientation) throws(ScanError) -> Raster {
    guard image.format.pixelFormat.isCompressed || image.format.size.area <= areaLimit else {
      throw .image(.tooLarge(what: "a photo of \(image.format.size) pixels", limit: "\(areaLimit) pixels"))
    }
    let stored: PixelBuffer
    do {
      stored = try ImageConverter(pool: PixelBufferPool()).convert(image, to: .bgra, color: .jpeg)
    } catch {
      throw .image(error)
    }
    let plane = stored.planes[0]
    let size = stored.format.size
    let copy = try Raster(width: size.width, height: size.height)
    let source = plane.base.assumingMemoryBound(to: UInt8.self)
    let stride = Int32(plane.bytesPerRow)
    if orientation.isMirrored {
      ARGBMirror(source, stride, copy.base, copy.stride, Int32(size.width), Int32(size.height))
    } else {
      ARGBCopy(source, stride, copy.base, copy.stride, Int32(size.width), Int32(size.height))
    }
    return orientation.rotation == .none ? copy : try copy.turned(orientation.rotation)
  }

  private var stride: Int32 { Int32(bytesPerRow) }

  /// Returns the picture turned clockwise.
  func turned(_ rotation: Rotation) throws(ScanError) -> Raster {
    let result = try Raster(
      width: rotation.swapsAxes ? height : width, height: rotation.swapsAxes ? width : height)
    let mode = RotationMode(rawValue: UInt32(rotation.rawValue))
    ARGBRotate(base, stride, result.base, result.stride, Int32(width), Int32(height), mode)
    return result
  }

  /// Returns the picture resampled to `width` × `height` with a box filter.
  func scaled(width: Int, height: Int) throws(ScanError) -> Raster {
    let result = try Raster(width: width, height: height)
    ARGBScale(
      base, stride, Int32(self.width), Int32(self.height), result.base, result.stride, Int32(width),
      Int32(height),
      kFilterBox)
    return result
  }

  /// Returns the luma, BT.601 full range, in rows without padding.
  func luma() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: width * height) { bytes, count in
      writeLuma(to: bytes.baseAddress, bytesPerRow: width)
      count = width * height
    }
  }

  func writeLuma(to bytes: UnsafeMutablePointer<UInt8>?, bytesPerRow: Int) {
    ARGBToJ400(base, stride, bytes, Int32(bytesPerRow), Int32(width), Int32(height))
  }
}

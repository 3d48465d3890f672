import CYUV
import Glibc

/// Converts an interlaced picture to a progressive one: keeps the lines of the upper field, and replaces each line between them by the
/// mean of its neighbours. This halves the vertical resolution, and moving objects show no comb. One thread at a time.
final class Deinterlacer {
  private let pool = PixelBufferPool()
  /// The last result. Its memory is reused once nobody else holds it.
  private var made: PixelBuffer?

  /// - Returns: the picture itself if it is progressive or compressed, or from a Bayer sensor, whose lines cannot be mixed. Otherwise
  ///   a picture whose memory stays valid until the next call, even if the picture is released before.
  func progressive(_ image: PixelBuffer) throws(ImageError) -> PixelBuffer {
    let format = image.format.pixelFormat
    guard image.isInterlaced, !format.isCompressed, !format.isBayer else { return image }
    try image.checkPlanes()
    let result = try buffer(image.format)
    let shapes = try image.format.planeShapes()
    for index in 0..<shapes.count {
      fill(
        result.planes[index], from: image.planes[index], bytes: shapes[index].bytesPerRow,
        rows: shapes[index].height, isWide: format.isWide)
    }
    return result
  }

  private func buffer(_ format: ImageFormat) throws(ImageError) -> PixelBuffer {
    if isKnownUniquelyReferenced(&made), let made, made.format == format { return made }
    let fresh = try pool.makeBuffer(format)
    made = fresh
    return fresh
  }

  private func fill(_ result: Plane, from plane: Plane, bytes: Int, rows: Int, isWide: Bool) {
    for row in stride(from: 0, to: rows, by: 2) { memcpy(result.row(row), plane.row(row), bytes) }
    // The last of an even number of lines has no line below it: copy the line above.
    if rows % 2 == 0 { memcpy(result.row(rows - 1), plane.row(rows - 2), bytes) }
    let between = Int32((rows - 1) / 2)
    guard between > 0 else { return }
    if isWide {
      InterpolatePlane_16(
        plane.words(0), plane.stride, plane.words(2), plane.stride, result.words(1), result.stride,
        Int32(bytes / 2), between, 128)
    } else {
      InterpolatePlane(
        plane.row(0), plane.stride * 2, plane.row(2), plane.stride * 2, result.row(1), result.stride * 2,
        Int32(bytes), between, 128)
    }
  }
}

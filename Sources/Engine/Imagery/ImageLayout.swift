/// Limits on pictures from outside, checked before anything is allocated.
public enum ImageLimits {
  /// The longest side, in pixels.
  public static let side = 32_768
  /// The largest area, in pixels (16384 × 16384).
  public static let area = 268_435_456
  /// The largest number of pixels of a picture to hold in memory decoded. Larger pictures are read at a fraction of their size.
  public static let decodedArea = 50_000_000
  /// The largest number of bytes for decoding a JPEG picture in several scans, which needs all its coefficients in memory at once.
  public static let coefficientBytes = 400_000_000
}

extension PixelSize {
  /// - Throws: `tooLarge` if a side is outside 1...32768 or the area beyond 268 megapixels.
  func checkLimits() throws(ImageError) {
    guard width >= 1, height >= 1, width <= ImageLimits.side, height <= ImageLimits.side else {
      throw .tooLarge(what: "a picture of \(self) pixels", limit: "1 to \(ImageLimits.side) pixels a side")
    }
    guard area <= ImageLimits.area else {
      throw .tooLarge(what: "a picture of \(self) pixels", limit: "\(ImageLimits.area) pixels in all")
    }
  }
}

extension ImageFormat {
  /// The bytes per row and the number of rows of each plane, tightly packed as in V4L2 (a driver may pad rows further).
  /// Chroma of odd sizes is rounded up.
  /// - Throws: `tooLarge` outside the limits, `unsupported` for a compressed format, which has no rows.
  public func planeLayout() throws(ImageError) -> [(bytesPerRow: Int, height: Int)] {
    Array(try planeShapes())
  }

  /// The result of `planeLayout()` without an array.
  func planeShapes() throws(ImageError) -> PlaneShapes {
    try size.checkLimits()
    guard let planes = pixelFormat.planes(of: size) else {
      throw .unsupported(what: "a compressed frame as rows of pixels", remedy: "decode it first")
    }
    return planes
  }

  /// The number of bytes of one tightly packed raw frame; 0 for a compressed format or a size outside the limits.
  public var frameByteCount: Int {
    guard let layout = try? planeLayout() else { return 0 }
    return layout.reduce(0) { $0 + $1.bytesPerRow * $1.height }
  }
}

extension PixelBuffer {
  /// Checks that the planes hold what the format requires, whoever made the buffer.
  /// - Throws: `truncated` if a plane is missing, too narrow or too short; `unsupported` for 16-bit samples at odd
  ///   addresses; the errors of `planeLayout()`.
  func checkPlanes() throws(ImageError) {
    let name = format.pixelFormat.rawValue
    if format.pixelFormat.isCompressed {
      guard planes.count > 0, planes[0].byteCount > 0 else {
        throw .truncated(format: name, have: 0, needed: 4)
      }
      return
    }
    let layout = try format.planeShapes()
    guard planes.count >= layout.count else {
      throw .truncated(
        format: name, have: planes.reduce(0) { $0 + $1.byteCount }, needed: format.frameByteCount)
    }
    for index in 0..<planes.count where format.pixelFormat.isWide && planes[index].bytesPerRow % 2 != 0 {
      throw .unsupported(
        what: "16-bit samples in rows of an odd number of bytes", remedy: "use another format")
    }
    for index in 0..<layout.count {
      let (plane, need) = (planes[index], layout[index])
      guard plane.bytesPerRow < need.bytesPerRow || plane.height < need.height else { continue }
      throw .truncated(format: name, have: plane.byteCount, needed: need.bytesPerRow * need.height)
    }
  }
}

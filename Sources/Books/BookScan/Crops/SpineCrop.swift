public import Imagery

/// A small picture of one spine, for a person who reviews it. The text in the picture is upright and reads left to right.
///
/// Decode a photo once for all of its spines:
///
/// ```swift
/// let picture = try ImageFile.read(bytes)
/// let photo = try UprightPhoto(picture.image, orientation: picture.orientation)
/// let crops = try outlines.map { try SpineCrop(photo, outline: $0) }
/// ```
public struct SpineCrop: Sendable, Hashable {
  /// The greatest length of the longer side, pixels.
  public static let longSide = 640
  /// The greatest size of the file, bytes.
  public static let byteLimit = 65_536

  /// A JPEG file, at most ``byteLimit`` bytes. The same photo and outline give the same bytes.
  public let jpeg: [UInt8]
  /// The size of the picture, pixels: at most ``longSide`` wide and high.
  public let size: PixelSize

  /// Cuts a part out of the photo, with a margin all around, which is an eighth of the part's shorter side. The picture is
  /// reduced if it is too large, and never enlarged. Outside the photo, the photo's edge is repeated.
  /// - Parameters:
  ///   - outline: the four corners of the part in the upright photo, clockwise from the upper left of the
  ///     text.
  ///   - longSide: the greatest length of the longer side, pixels, 1…``longSide``; clamped.
  ///   - maximumBytes: the greatest size of the file, at most ``byteLimit``; clamped.
  /// - Throws: `image`: `unsupported` if the outline is invalid (not four corners in that order, less than a pixel wide or high,
  ///   or outside the photo), `outOfMemory`, `encodingFailed`, or `budgetUnattainable` if no size fits into `maximumBytes`.
  public init(
    _ photo: UprightPhoto, outline: [Point], longSide: Int = SpineCrop.longSide,
    maximumBytes: Int = SpineCrop.byteLimit
  ) throws(ScanError) {
    guard let outline = CropOutline(outline, in: photo.raster) else {
      throw .image(
        .unsupported(
          what: "a spine outline that is not four corners, clockwise, inside the photo",
          remedy: "give four corners clockwise, from the upper left of the spine's text"))
    }
    do {
      let longSide = min(max(1, longSide), Self.longSide)
      let pixels = try Self.pixels(photo.raster, outline, longSide)
      let settings = PhotoSettings(
        longSide: longSide, quality: 85, maximumBytes: min(maximumBytes, Self.byteLimit))
      let picture = try PhotoPipeline().process(pixels, orientation: .upright, settings: settings)
      (jpeg, size) = (picture.bytes, picture.size)
    } catch {
      throw .image(error)
    }
  }

  /// The margin around the outline, as a share of its shorter side.
  private static let margin = 0.125

  private static func pixels(
    _ photo: Raster, _ outline: CropOutline, _ longSide: Int
  ) throws(ImageError) -> PixelBuffer {
    let margin = margin * min(outline.length, outline.height)
    let (length, height) = (outline.length + 2 * margin, outline.height + 2 * margin)
    let scale = min(1, Double(longSide) / max(length, height))
    let size = PixelSize(
      width: max(1, Int((length * scale).rounded())), height: max(1, Int((height * scale).rounded())))
    let image = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .bgra, size: size, color: .jpeg))
    // Average as many samples in each direction as the output pixel covers pixels of the photo, so that no thin stroke is skipped.
    let samples = max(1, min(8, Int((1 / scale).rounded(.up))))
    let (stepX, stepY) = (1 / Double(size.width * samples), 1 / Double(size.height * samples))
    let (wide, high) = (length / outline.length, height / outline.height)
    for y in 0..<size.height {
      let row = image.planes[0].base.assumingMemoryBound(to: UInt8.self) + y * image.planes[0].bytesPerRow
      for x in 0..<size.width {
        var sum = SIMD4<Float>()
        for subY in 0..<samples {
          let across = ((Double(y &* samples &+ subY) + 0.5) * stepY - 0.5) * high + 0.5
          for subX in 0..<samples {
            let along = ((Double(x &* samples &+ subX) + 0.5) * stepX - 0.5) * wide + 0.5
            let point = outline.point(along, across)
            sum += photo.sample(Float(point.x) - 0.5, Float(point.y) - 0.5)
          }
        }
        put(sum / Float(samples * samples), into: row + x &* 4)
      }
    }
    return image
  }

  @inline(__always)
  private static func put(_ color: SIMD4<Float>, into pixel: UnsafeMutablePointer<UInt8>) {
    for channel in 0..<3 { pixel[channel] = UInt8(min(255, max(0, color[channel].rounded()))) }
    pixel[3] = 255
  }
}
